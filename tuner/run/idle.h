/* Parameters that changed nothing in a run. */
#ifndef CUTUNE_RUN_IDLE_H
#define CUTUNE_RUN_IDLE_H

#include "journal/outcomes.h"
#include "space/valid_set.h"

/* Sets bit p of *idle if parameter p, a macro of the source, made no difference: configurations that differ in it alone
 * have the same machine code and launch, being duplicates of one another. All such configurations count that a device
 * ran, and together they have every value of every parameter that it ran; without that, nothing is known of the
 * parameter. Keys are indices of
 * the set, but for outcomes with the mark ROWS_OUTSIDE, which do not count. ERROR_MEMORY is the only error. */
int idle_parameters(const struct space *space, const struct valid_set *set, const struct outcomes *outcomes,
                    uint64_t *idle, struct error *error);

#endif
