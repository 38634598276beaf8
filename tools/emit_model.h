/* What a tuned header is made of: emit.c reads the rows into a model, emit_text.c writes the model as C. */
#ifndef CUTUNE_TOOLS_EMIT_MODEL_H
#define CUTUNE_TOOLS_EMIT_MODEL_H

#include "base/arena.h"
#include "tools/emit.h"

enum { EMIT_PAIRS_MAX = 256 };

/* What values are, from narrow to wide: a member has the widest kind of its column. */
enum emit_kind { EMIT_INT, EMIT_LONG, EMIT_REAL, EMIT_WORD };

struct emit_pair {
    const char *name, *value;
    enum emit_kind kind;
};
struct emit_pairs { /* "TILE=64 BLOCK_ROWS=8", taken apart */
    size_t count;
    struct emit_pair items[EMIT_PAIRS_MAX];
};

struct emit_member {
    const char *name;  /* of the parameter or problem size */
    const char *field; /* of the struct */
    enum emit_kind kind;
};

struct emit_model {
    struct arena arena;
    const struct best *const *rows;
    size_t count;
    const struct emit_request *request;
    const char *prefix, *upper;
    size_t newest;
    struct emit_pairs **problems; /* per row, in the order of the newest, like all that follow */
    struct emit_pairs **configs;  /* per row; one more: the default */
    size_t problem_count, parameter_count;
    struct emit_member *problem_members, *parameter_members;
    size_t chosen; /* the row of the macros */
};

/* Appends the whole header. */
void emit_text(const struct emit_model *model, struct text *text);

#endif
