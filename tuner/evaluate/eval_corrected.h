/* Several devices that measure as one: an evaluator in front of another one, whose devices' times it turns into those
 * of the first device at the start (evaluate/correction.h). Play-off, library and evidence, which are one device's,
 * stay as they are. */
#ifndef CUTUNE_EVALUATE_EVAL_CORRECTED_H
#define CUTUNE_EVALUATE_EVAL_CORRECTED_H

#include <signal.h>

#include "evaluate/correction.h"
#include "evaluate/evaluator.h"

struct corrected_setup {
    const struct evaluator *inner;     /* open. Of one device: its outcomes pass unchanged */
    uint64_t default_index;            /* the space's default configuration, which stays an anchor; UINT64_MAX: none */
    const volatile sig_atomic_t *stop; /* 2 abandons waiting for anchors; may be NULL */
    /* Called with a line about a device that is left out. May be NULL. */
    void (*note)(void *context, const char *line);
    void *context;
};

int evaluator_open_corrected(struct evaluator *evaluator, const struct corrected_setup *setup, struct error *error);

/* How the times of a device are corrected now; NULL: not yet, or there is one device only. */
const struct correction *evaluator_corrected(const struct evaluator *evaluator, size_t device);

#endif
