/* Asks the compiler about a kernel. */
#ifndef CUTUNE_DRAFT_ASK_H
#define CUTUNE_DRAFT_ASK_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "compile/cache.h"
#include "compile/pool.h"
#include "evaluate/argument_questions.h"
#include "space/space.h"

enum { ASK_CONSTANTS_MAX = 8, ASK_NAMES_MAX = 64 };

/* An undefined name: may be a macro with a value; is a type or a function; or follows from another undefined name. */
enum ask_name { ASK_VALUE, ASK_MISSING, ASK_FOLLOWS };

/* A compiler process, which the first question starts. Zeroed at first. */
struct ask_compiler {
    struct compile_pool *pool;
    struct compile_cache cache;
};
void ask_compiler_close(struct ask_compiler *compiler);

struct ask {
    struct ask_compiler *compiler;
    const char *path, *folder; /* of the source; the compiler's working folder */
    const char *shown;         /* its path in messages */
    const char *source;        /* its text */
    int64_t cc;
    bool nvcc;
    const struct text *options; /* NUL-terminated strings, one after the other */
    size_t option_count;
    enum ask_name (*name)(const void *context, const char *name); /* kind of an undefined name, by the source */
    const void *context;
    const char *const *doubted; /* names of which the answer says if they are macros at the end of the source */
    size_t doubted_count;       /* at most 64 */
};

/* An answer about a kernel. */
struct answer {
    bool known; /* the compiler found the kernel and its parameters */
    struct argument_answer parameters[SPACE_ARGUMENTS_MAX];
    size_t parameter_count;
    const char *undefined[ASK_NAMES_MAX]; /* names that may be macros: the source uses them as values */
    int lines[ASK_NAMES_MAX];             /* where it does */
    size_t undefined_count;
    uint64_t defined;          /* bit i: doubted[i] is a macro */
    bool missing;              /* a type or function without a definition is among the errors */
    bool host_code;            /* the file has code of the host, which NVRTC does not compile */
    struct error_list *errors; /* others; memory of the arena */
};
/* Compiles the source with a question behind it. `kernel`: a name expression. Errors of the source are a part of the
 * answer; the returned one is about the compiler itself. */
int ask_types(const struct ask *ask, const char *kernel, struct arena *arena, struct answer *answer,
              struct error *error);

/* Compiles the source with debug information. The result, which may be a failure, borrows from the compiler. */
int ask_debug(const struct ask *ask, const char *kernel, struct compile_result *result, struct error *error);

/* The uses of a compiled kernel. */
struct code_answer {
    bool compiled;    /* else the rest is unknown */
    uint64_t changed; /* bit i: parameter i points to memory that the kernel may write */
    bool dynamic_shared, grid_sync;
    unsigned threads, blocks;                 /* bits of the dimensions of threadIdx and blockIdx; bit 0: x */
    const char *constants[ASK_CONSTANTS_MAX]; /* __constant__ variables without a value: "ns::table" */
    size_t constant_count;
};
int ask_code(const struct ask *ask, const char *kernel, uint64_t pointers, struct arena *arena,
             struct code_answer *answer, struct error *error);

#endif
