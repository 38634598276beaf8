/* Finds the loops of machine code, and the one in which a thread spends most of its instructions. */
#ifndef CUTUNE_COMPILE_LOOPS_H
#define CUTUNE_COMPILE_LOOPS_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

#define LOOPS_NONE ((size_t)-1)

/* Where control goes behind an instruction. */
enum flow {
    FLOW_NEXT,   /* to the next one */
    FLOW_BRANCH, /* there or to `target` */
    FLOW_JUMP,   /* to `target` */
    FLOW_END     /* nowhere, or to an unknown place */
};

struct flow_step {
    enum flow flow;
    size_t target; /* number of an instruction; LOOPS_NONE: unknown */
};

struct loop {
    size_t parent;       /* the loop around it, or LOOPS_NONE */
    size_t latch;        /* the last instruction that branches back */
    size_t instructions; /* without those of loops in it */
    size_t depth;        /* loops around it */
};

/* In memory of an arena. */
struct loops {
    struct loop *all; /* those around others before them */
    size_t count;
    size_t *of; /* the innermost loop of each instruction, or LOOPS_NONE */
};

/* Finds the natural loops of `count` instructions (Aho, Lam, Sethi, Ullman, "Compilers", 9.6.6); branches back to the
 * same place are one loop. The only error is ERROR_MEMORY. */
int loops_find(const struct flow_step *steps, size_t count, struct arena *arena, struct loops *loops,
               struct error *error);

#endif
