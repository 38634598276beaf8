/* The parameters that a source offers: macros without a definition, macros that it defines only where nobody else has,
 * integers of a template, and the block of a kernel that asks for its size. */
#ifndef CUTUNE_DRAFT_MACROS_H
#define CUTUNE_DRAFT_MACROS_H

#include "draft/scan.h"

enum macro_origin {
    MACRO_UNDEFINED, /* the source uses the name, and does not define it */
    MACRO_CONDITION, /* a condition of the preprocessor asks for its value */
    MACRO_GUARDED,   /* #ifndef NAME, #define NAME VALUE */
    MACRO_TEMPLATE,  /* value of an integer parameter of a template */
    MACRO_BLOCK      /* dimension of the block; not a macro of the source */
};

enum { MACROS_MAX = 48 };

struct macro {
    const char *name;
    enum macro_origin origin;
    const char *of;             /* the template's parameter */
    const char *values, *value; /* a list of the language, and its default */
    int line;                   /* 0: none */
    bool elsewhere;             /* occurs in other kernels alone, so that its value does not matter */
};

struct macros {
    struct macro items[MACROS_MAX];
    size_t count;
};

/* Adds a macro unless it is known or there are too many. `value`: its value in the source; NULL: unknown. Chooses the
 * values to try by the name. `dimensions`: of the kernel's blocks. */
int macros_add(struct macros *macros, struct arena *arena, const struct macro *macro, const char *value,
               unsigned dimensions, struct error *error);
const struct macro *macros_find(const struct macros *macros, const char *name);

/* True if the name is one for the threads of a block, or for those along the axis 'x', 'y' or 'z'; 0: no axis. */
bool macros_is_block(const char *name, char axis);

/* Adds the macros of conditions and guarded definitions. */
int macros_scan(struct macros *macros, struct arena *arena, const struct scan *scan, unsigned dimensions,
                struct error *error);

/* Marks the macros that only kernels with other names use. */
void macros_mark_elsewhere(struct macros *macros, const struct scan *scan, const struct scan_kernels *kernels,
                           const char *kernel);

/* Finds the next macro that the source always defines as an integer, from the directive's token *at on; false: no more.
 */
struct fixed_macro {
    struct code_token name;
    long value;
    bool guarded; /* only where nobody else defines it */
};
bool macros_next_fixed(const struct scan *scan, size_t *at, struct fixed_macro *fixed);

#endif
