/* How far long work is, for a line on a terminal. Whoever does the work counts its steps; whoever asked for it may
 * listen. */
#ifndef CUTUNE_BASE_WORK_H
#define CUTUNE_BASE_WORK_H

#include <stdint.h>

/* Zeroed: nobody listens. */
struct work {
    void (*show)(void *context, const struct work *work); /* after each step; NULL: nobody listens */
    void *context;
    const char *doing; /* of the steps done, as in "compiled for sm_90"; borrowed until the next work_begin */
    uint64_t done, total;
    const uint64_t *counts; /* of the steps done, by status; NULL: they have none */
};

/* Begins work of so many steps. `work` may be NULL in both. */
void work_begin(struct work *work, const char *doing, uint64_t total);
void work_step(struct work *work, uint64_t steps);

#endif
