/* Parameters without effect on the machine code of a run. */
#ifndef CUTUNE_RUN_IDLE_H
#define CUTUNE_RUN_IDLE_H

#include "journal/outcomes.h"
#include "set/valid_set.h"

/* Sets bit p of *idle if parameter p, a macro of the source, made no difference. Condition: all evaluated
 * configurations that differ only in p are duplicates, with the same machine code and launch, and together have every
 * evaluated value of every parameter. Otherwise the effect of p is unknown, and its bit stays clear. Keys are indices
 * of the set; outcomes with the mark ROWS_OUTSIDE are ignored. ERROR_MEMORY is the only error. */
int idle_parameters(const struct space *space, const struct valid_set *set, const struct outcomes *outcomes,
                    uint64_t *idle, struct error *error);

#endif
