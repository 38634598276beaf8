/* Evaluates the launches of a configuration, and the loops around them. */
#ifndef CUTUNE_LANGUAGE_UNROLL_H
#define CUTUNE_LANGUAGE_UNROLL_H

#include "expression/expr.h"

/* Adds a launch, unless `when` or `repeat` skips it. */
int unroll_step(const struct step *from, const struct expr_inputs *inputs, bool reference, struct launch *launch,
                struct error *error);
/* Adds all launches of a run or a reference. The launch has nothing else but the sizes of scratch buffers. */
int unroll_steps(const struct step *steps, size_t count, const struct expr_inputs *inputs, bool reference,
                 struct launch *launch, struct error *error);

#endif
