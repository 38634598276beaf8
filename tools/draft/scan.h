/* Reads the text of a CUDA source: its kernels, their parameters by name, and the uses in them that a space states.
 * There is no preprocessor: the branches of all conditions are read. The compiler decides what the text means; the text
 * only has the names, which the compiler's messages lack. */
#ifndef CUTUNE_DRAFT_SCAN_H
#define CUTUNE_DRAFT_SCAN_H

#include "base/arena.h"
#include "base/error.h"
#include "language/code.h"

/* A range of tokens: [begin, end). */
struct scan_range {
    size_t begin, end;
};

struct scan {
    struct code_token *tokens; /* outside directives; memory of the arena, like all below */
    size_t count;
    struct code_token *directives; /* those within directives, each from CODE_HASH to CODE_LINE_END */
    size_t directive_count;
};

/* A parameter of a kernel, or of a template. */
struct scan_parameter {
    const char *name;  /* "": unnamed */
    const char *type;  /* as the source declares it, in one line */
    const char *value; /* the default; "": none */
};

struct scan_kernel {
    const char *name;       /* with its namespaces: "ns::scale" */
    const char *short_name; /* "scale" */
    int line;
    struct scan_parameter *parameters;
    size_t parameter_count;
    struct scan_parameter *templates;
    size_t template_count;
    const char *launch_bounds; /* the first argument of __launch_bounds__; "": none */
    const char *cluster;       /* the arguments of __cluster_dims__; "": none */
    struct scan_range body;    /* empty for a declaration */
};

struct scan_kernels {
    struct scan_kernel *items;
    size_t count;
};

/* `source` outlives the scan. */
int scan_text(struct scan *scan, struct arena *arena, const struct source_text *source, struct error *error);

/* Finds the functions with __global__, and any function with the short name `wanted` (NULL: none), whose __global__ may
 * come from a macro. A declaration of a kernel that is also defined is left out, and so are explicit instances. */
int scan_find_kernels(const struct scan *scan, struct arena *arena, const char *wanted, struct scan_kernels *kernels,
                      struct error *error);

/* The index of the sign that closes the one at `at`; the number of tokens if none does. Brackets of all kinds but <>
 * count. */
size_t scan_close(const struct scan *scan, size_t at);
/* Same for a '<'. */
size_t scan_close_angle(const struct scan *scan, size_t at);

/* The index behind the next comma outside brackets, or the end of the range; `angles`: <> are brackets. *length: tokens
 * before the comma. */
size_t scan_next_part(const struct scan *scan, struct scan_range range, bool angles, size_t *length);

/* The text of a range in one line. NULL when out of memory. */
const char *scan_range_text(const struct scan *scan, struct arena *arena, struct scan_range range);

/* The uses of a kernel, and of all code outside other kernels, which it may call. */
struct scan_uses {
    unsigned threads, blocks, sizes; /* bits of the dimensions of threadIdx, blockIdx and blockDim; bit 0: x */
    bool grid_sync;                  /* a grid group */
    bool cluster;                    /* a cluster group */
    const char *dynamic_shared;      /* the name of an `extern __shared__` array; "": none */
};
int scan_uses(const struct scan *scan, struct arena *arena, const struct scan_kernels *kernels, const char *name,
              struct scan_uses *uses, struct error *error);

/* True if the token is in the body of a kernel with another short name. */
bool scan_is_elsewhere(const struct scan_kernels *kernels, const char *name, size_t token);

/* True if the word occurs in the code or in a directive. */
bool scan_has_word(const struct scan *scan, const char *word);

#endif
