/* Dependences between the instructions of a loop, through registers alone. */
#ifndef CUTUNE_COMPILE_CHAIN_H
#define CUTUNE_COMPILE_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "compile/operands.h"

struct chain_step {
    struct operands operands;
    double length; /* what the instruction adds to a chain that goes through it */
};

/* The length of the longest chain of instructions that depend on each other, per iteration of a loop of these `count`
 * instructions: the greatest mean weight of a cycle of dependences. Instructions that run under conditions count like
 * the others. */
double chain_of_loop(const struct chain_step *steps, size_t count);

/* The length of the longest chain in instructions that run once. */
double chain_of_code(const struct chain_step *steps, size_t count);

/* Cycles per iteration of such a loop, or of code that runs once, for one warp alone: it issues an instruction a cycle,
 * in order, once its operands are there. `length` of a step: cycles until its result is there. */
double chain_cycles(const struct chain_step *steps, size_t count, bool loop);

/* How many of the loop's instructions compute what its branch at `latch`, one of them, decides by, the branch included.
 * Goes back no further than instructions whose `length` is 0, such as loads. */
size_t chain_control(const struct chain_step *steps, size_t count, size_t latch);

#endif
