/* What is emitted: emit.c makes a model of the rows, and one file per format writes it. */
#ifndef CUTUNE_EMIT_EMIT_MODEL_H
#define CUTUNE_EMIT_EMIT_MODEL_H

#include "base/arena.h"
#include "emit/emit.h"

/* What values are, from narrow to wide: a member has the widest kind of its column. */
enum emit_kind { EMIT_INT, EMIT_LONG, EMIT_REAL, EMIT_WORD };

struct emit_member {
    const char *name;  /* of the parameter or problem size */
    const char *field; /* of the struct */
    enum emit_kind kind;
};

/* A row that constants can be of: that of a device, or of a device that is none of the rows'. */
struct emit_target {
    const char *device; /* "": any other device */
    const char *macro;  /* PREFIX_TUNED_FOR_NVIDIA_H200 */
    int cc;
    const char *newest; /* date of its newest row */
    size_t row;         /* of the selection */
    enum choose_rule rule;
};

struct emit_model {
    struct arena arena;
    struct selection *selection;
    const struct emit_request *request;
    const char *prefix, *upper;
    struct emit_member *sizes, *parameters; /* as many, and in the order, as the selection's */
    long double *numbers;                   /* the sizes that the constants are for */
    size_t target_count;
    struct emit_target *targets; /* the first is that of any other device, the others by name */
    size_t chosen;               /* the target that constants are of where nothing else is said */
};

/* False when the value is neither a number nor a word. */
bool emit_classify(const char *value, enum emit_kind *kind);

/* Pieces of C, c_text.c. */
void emit_string(struct text *text, const char *string);
/* For comments: nothing that could end or begin one, continue a line, or turn the direction of writing. */
void emit_remark(struct text *text, const char *string);
void emit_value(struct text *text, const char *value, enum emit_kind kind);
/* "NVIDIA H200, ROWS=8192 COLS=8192" of a row, for comments. */
void emit_row_name(const struct selection_row *row, struct text *text);

struct emit_format {
    const char *name;
    void (*write)(const struct emit_model *model, struct text *text); /* appends the whole */
};

/* Parts of the header, header_macros.c. */
void emit_provenance(const struct emit_model *model, struct text *text);
void emit_macros(const struct emit_model *model, struct text *text);

#endif
