/* Dependence chains between the instructions of a loop, through registers alone. */
#ifndef CUTUNE_COMPILE_DEPENDENCE_CHAIN_H
#define CUTUNE_COMPILE_DEPENDENCE_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "compile/operands.h"

struct dependence_chain_step {
    struct operands operands;
    double length; /* contribution of the instruction to a dependence chain through it */
};

/* The length of the longest dependence chain per iteration of a loop of these `count` instructions: the greatest
 * mean weight of a cycle of dependences. Predicated instructions count like the others. */
double dependence_chain_of_loop(const struct dependence_chain_step *steps, size_t count);

/* The length of the longest dependence chain in instructions that run once. */
double dependence_chain_of_code(const struct dependence_chain_step *steps, size_t count);

/* Cycles per iteration of such a loop, or of code that runs once, for one warp alone. The warp issues an instruction
 * a cycle, in order, once its operands are ready. `length` of a step: cycles until its result is ready. */
double dependence_chain_cycles(const struct dependence_chain_step *steps, size_t count, bool loop);

/* The number of the loop's instructions, including the branch at `latch`, that compute the branch's condition. Stops
 * at instructions of `length` 0, such as loads. */
size_t dependence_chain_control(const struct dependence_chain_step *steps, size_t count, size_t latch);

#endif
