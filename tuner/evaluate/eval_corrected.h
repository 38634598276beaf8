/* Lets several devices measure as one: an evaluator in front of another that converts its devices' times to those of
 * the first device at the start (evaluate/correction.h). Play-off, library and evidence use one device and pass
 * unchanged. */
#ifndef CUTUNE_EVALUATE_EVAL_CORRECTED_H
#define CUTUNE_EVALUATE_EVAL_CORRECTED_H

#include <signal.h>

#include "evaluate/correction.h"
#include "evaluate/evaluator.h"

struct corrected_setup {
    const struct evaluator *inner;     /* open; outcomes of a single device pass unchanged */
    uint64_t default_index;            /* the space's default configuration, a permanent calibration configuration;
                                          UINT64_MAX: none */
    const volatile sig_atomic_t *stop; /* 2 ends the wait for calibration; may be NULL */
    /* Called with a line about an excluded device. May be NULL. */
    void (*note)(void *context, const char *line);
    void *context;
};

int evaluator_open_corrected(struct evaluator *evaluator, const struct corrected_setup *setup, struct error *error);

/* Returns the current correction of a device's times; NULL: unknown, or there is only one device. */
const struct correction *evaluator_corrected(const struct evaluator *evaluator, size_t device);

#endif
