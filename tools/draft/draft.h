/* A first space for a kernel: finds what the compiler and the source say of it, and writes the space file that says it.
 * A part that neither knows is a line with `???` and a comment. */
#ifndef CUTUNE_DRAFT_DRAFT_H
#define CUTUNE_DRAFT_DRAFT_H

#include "compile/debug_info.h"
#include "draft/ask.h"
#include "draft/launch.h"
#include "draft/macros.h"
#include "draft/scan.h"

enum { DRAFT_NAMES_MAX = 512 };

struct draft_request {
    const char *path;                  /* of the source: the folder and the relative path */
    const char *shown;                 /* its path in messages */
    const char *folder;                /* of the space file, ending in '/', or "" */
    const char *relative;              /* path of the source from that folder */
    const char *kernel;                /* a name or name expression; NULL: the only one of the file */
    const struct option_list *options; /* of the compiler */
    int64_t cc;
};

/* The type of a kernel's parameter that is a class, or of a variable. */
struct draft_class {
    struct debug_member *members; /* numbers and pointers; NULL: unknown */
    size_t count;
};

struct draft {
    struct draft_request request;
    struct arena arena;
    struct source_text source;
    struct scan scan;
    struct scan_kernels kernels;
    struct scan_kernel kernel; /* as the text has it; without a name if the text lacks it */
    const char *expression;    /* in the space */
    struct scan_uses uses;
    struct host_launch launch;
    struct macros macros;
    struct answer answer;
    struct code_answer code;
    struct draft_class *classes;                     /* by parameter */
    struct draft_class constants[ASK_CONSTANTS_MAX]; /* by code.constants */
    const char *guessed;                             /* template parameters whose type is a guess: "T"; "": none */
    struct ask_compiler compiler;
    bool doubts, asked;  /* macros of conditions may be defined; an answer came */
    struct text options; /* of the compiler, NUL-terminated strings */
    size_t option_count;
    bool nvcc;
    const char *names[DRAFT_NAMES_MAX]; /* that the space declares */
    size_t name_count;
};

/* ERROR_DATA if the file has no kernel, or several and none is chosen; ERROR_COMPILE if it does not compile. */
int draft_learn(struct draft *draft, const struct draft_request *request, struct error *error);

/* Writes the space file. */
int draft_write(struct draft *draft, struct text *out, struct error *error);

void draft_free(struct draft *draft);

/* The number of parameters of the kernel. */
size_t draft_parameter_count(const struct draft *draft);
/* The name of a parameter in the source; "a1" and so on where the text has none. */
const char *draft_parameter_name(struct draft *draft, size_t number);

/* Makes a name for the space that is like `base`: not used before, and none of the language's. A size has capital
 * letters, and is no constant of the source; a macro is also no word of the source. NULL when out of memory. */
enum draft_name { DRAFT_BUFFER, DRAFT_SIZE, DRAFT_MACRO };
const char *draft_name(struct draft *draft, const char *base, enum draft_name kind);

#endif
