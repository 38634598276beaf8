/* Scratch buffers: the largest size over a space's configurations, and the size in one of them. */
#ifndef CUTUNE_SPACE_SCRATCH_H
#define CUTUNE_SPACE_SCRATCH_H

#include "space/expr.h"

/* Up to so many combinations of the parameters in a size are tried, together with the constraints that name no others.
 * For more, the largest size is estimated from the bounds of the parameters. */
enum { SCRATCH_COMBINATIONS_MAX = 1 << 16 };

/* Sets the buffer's count to its largest, once the constraints are bound. ERROR_VALUE if the size has no value or no
 * known bound. */
int scratch_bind(struct space *space, struct buffer *buffer, struct error *error);

/* Evaluates launch->scratch_bytes. */
int scratch_evaluate(const struct expr_inputs *inputs, struct launch *launch, struct error *error);

#endif
