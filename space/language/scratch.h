/* Scratch buffers: the largest size over a space's configurations, and the size in a given configuration. */
#ifndef CUTUNE_LANGUAGE_SCRATCH_H
#define CUTUNE_LANGUAGE_SCRATCH_H

#include "expression/expr.h"

/* Limit on the combinations to try: all values of the parameters in a size, together with the constraints that name no
 * others. Beyond the limit, bounds of the parameters give an estimate of the largest size. */
enum { SCRATCH_COMBINATIONS_MAX = 1 << 16 };

/* Sets the buffer's count to its largest, once the constraints are bound. ERROR_VALUE if the size has no value or no
 * known bound. */
int scratch_bind(struct space *space, struct buffer *buffer, struct error *error);

/* Evaluates launch->scratch_bytes. */
int scratch_evaluate(const struct expr_inputs *inputs, struct launch *launch, struct error *error);

#endif
