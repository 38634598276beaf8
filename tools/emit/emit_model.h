/* emit.c makes a model of the rows; a file per format writes it. */
#ifndef CUTUNE_EMIT_EMIT_MODEL_H
#define CUTUNE_EMIT_EMIT_MODEL_H

#include "base/arena.h"
#include "emit/emit.h"

/* Kinds of values, from narrow to wide: a member has the widest kind of its column. */
enum emit_kind { EMIT_INT, EMIT_LONG, EMIT_REAL, EMIT_WORD };

struct emit_member {
    const char *name;  /* of the parameter or problem size */
    const char *field; /* member of the struct */
    enum emit_kind kind;
};

/* A row that can supply the constants: of one device, or of any device without a row. */
struct emit_target {
    const char *device; /* "": any device without a row; after the first, of some architectures */
    const char *macro;  /* PREFIX_TUNED_FOR_NVIDIA_H200 */
    int cc;
    const char *newest; /* date of its newest row */
    size_t row;         /* number in the selection */
    enum choose_rule rule;
};

/* Target of an architecture's device code. */
struct emit_architecture {
    int cc;    /* 0: all others of the major one that have no earlier row */
    int major; /* cc / 10 */
    size_t target;
    enum choose_rule rule;
};

enum { EMIT_LIMITS_MAX = 64 };

struct emit_model {
    struct arena arena;
    struct selection *selection;
    const struct emit_request *request;
    const struct emit_kernel *kernel;
    const struct emit_model *all; /* those of the output, of which this is one */
    size_t count;
    const char *prefix, *upper;
    const char *shared, *shared_upper;      /* prefixes of the code that kernels share, "transpose_tuned_" */
    struct emit_member *sizes, *parameters; /* those of the selection, in its order */
    long double *numbers;                   /* sizes of the constants */
    size_t target_count;
    struct emit_target *targets; /* the first is for devices without a row, the others are sorted by name */
    size_t chosen;               /* default target of the constants */
    size_t architecture_count;
    struct emit_architecture *architectures; /* in the order of the tests; all others have the first target */
    struct text choice; /* device and sizes of the constants, and the number of choices; empty: no choice */
};

/* Lists the kernel's rows of the request's devices (arena memory); in emit_devices.c. Errors as of emit_write. */
int emit_keep_devices(struct emit_model *model, const struct best ***kept, size_t *kept_count, struct error *error);

/* Appends the macros of `define` for a target, each unless it is defined; an #error if they are unknown. Nothing
 * without a space. In emit_defines.c. */
void emit_defines(const struct emit_model *model, const struct emit_target *target, struct text *text);

/* Values and pieces of C, in c_text.c. */

/* Sets the kind of a value. False if it is neither a number nor a word. */
bool emit_classify(const char *value, enum emit_kind *kind);
void emit_string(struct text *text, const char *string);
/* Text for a comment: drops characters that could end or begin a comment, continue a line, or change the writing
 * direction. */
void emit_remark(struct text *text, const char *string);
void emit_value(struct text *text, const char *value, enum emit_kind kind);
/* The macro of a parameter in the source: its own name if the space is unknown. */
const char *emit_source_macro(const struct emit_model *model, const char *parameter);
/* True if no row was given: all is the default. */
bool emit_is_untuned(const struct emit_model *model);
/* "Tuned configurations of the kernel transpose", for comments. */
void emit_title(const struct emit_model *model, struct text *text);
/* "NVIDIA H200, ROWS=8192 COLS=8192" or "NVIDIA H200, fit over ROWS=64..16384", for comments. */
void emit_row_name(const struct selection_row *row, struct text *text);
/* The part of a choose_*.h between its marks, with the header's names. */
void emit_shared(const struct emit_model *model, const char *source, struct text *text);
/* "long long problem_ROWS, long long problem_COLS" and `end`. */
void emit_size_list(const struct emit_model *model, const char *type, const char *end, struct text *text);
/* A line "if (NAME >= FIRST && NAME < BEHIND)". */
void emit_range(const char *name, size_t first, size_t behind, struct text *text);

struct emit_format {
    const char *name;
    bool single; /* has constants for one device and sizes, without all rows beside them */
    void (*write)(const struct emit_model *model, struct text *text); /* appends the whole text */
};

/* Fits over sizes, in header_fit.c: the functions of integers that all kernels share; those of a kernel's fits; and
 * their calls in the selection. */
void emit_integer_functions(const struct emit_model *model, uint64_t limits, struct text *text);
void emit_fit_functions(const struct emit_model *model, struct text *text);
void emit_fit_choice(const struct emit_model *model, struct text *text);
/* Sizes of launches, in header_launch.c; nothing without a space. Returns the limits in their expressions, as bits. */
uint64_t emit_launch(const struct emit_model *model, struct text *text);
/* In header_valid.c, in this order:
 * - limits in conditions, as bits;
 * - functions of the limits that follow from the compute capability;
 * - variables limit_NAME from the arguments cc, sm_count and l2_bytes;
 * - a statement that returns if a limit is unknown;
 * - the names of a condition in these functions, the sizes first. */
uint64_t emit_row_limits(const struct emit_model *model);
void emit_limit_functions(const struct emit_model *model, uint64_t limits, struct text *text);
void emit_limit_variables(const struct emit_model *model, uint64_t limits, struct text *text);
void emit_limit_guard(uint64_t limits, const char *result, int indent, struct text *text);
void emit_limit_names(const struct emit_model *model, const char **names);
/* PREFIX_tuned_valid, if a row's condition may not hold, with the sizes as its arguments. */
bool emit_has_valid(const struct emit_model *model);
void emit_valid(const struct emit_model *model, struct text *text);
void emit_valid_sizes(const struct emit_model *model, struct text *text);
/* Likewise PREFIX_tuned_fit_0_allowed, for other devices than the fit's. */
bool emit_fit_asks(const struct emit_model *model, size_t fit);
void emit_fit_allowed(const struct emit_model *model, size_t fit, struct text *text);
void emit_fit_extrapolation(const struct emit_model *model, struct text *text);
bool emit_has_generation(const struct emit_model *model);
/* Appends checks that no name in the header's code `body`, and no constant that follows, is a macro. In header_names.c.
 */
void emit_name_checks(const struct emit_model *model, const struct text *body, struct text *text);
/* In header_macros.c: the comment of a kernel's rows; the function that says which row device code has; the constants.
 */
void emit_provenance(const struct emit_model *model, struct text *text);
void emit_compiled(const struct emit_model *model, struct text *text);
void emit_constants(const struct emit_model *model, struct text *text);

#endif
