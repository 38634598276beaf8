/* Finds the loops of machine code. */
#ifndef CUTUNE_COMPILE_LOOPS_H
#define CUTUNE_COMPILE_LOOPS_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

#define LOOPS_NONE ((size_t)-1)

/* The successors of an instruction. */
enum flow {
    FLOW_NEXT,   /* to the next one */
    FLOW_BRANCH, /* the next one or `target` */
    FLOW_JUMP,   /* to `target` */
    FLOW_END     /* none, or unknown */
};

struct flow_step {
    enum flow flow;
    size_t target; /* number of an instruction; LOOPS_NONE: unknown */
};

struct loop {
    size_t parent;       /* the loop around it, or LOOPS_NONE */
    size_t latch;        /* the last instruction that branches back */
    size_t instructions; /* of the loop without inner loops */
    size_t depth;        /* number of enclosing loops */
};

/* In memory of an arena. */
struct loops {
    struct loop *all; /* outer loops before inner ones */
    size_t count;
    size_t *of; /* the innermost loop of each instruction, or LOOPS_NONE */
};

/* Finds the natural loops of `count` instructions (Aho, Lam, Sethi, Ullman, "Compilers", 9.6.6); all branches back
 * to one instruction form one loop. The only error is ERROR_MEMORY. */
int loops_find(const struct flow_step *steps, size_t count, struct arena *arena, struct loops *loops,
               struct error *error);

#endif
