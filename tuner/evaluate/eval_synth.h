/* The formula of the evaluator `synth`: a simulated run with one known optimum, for testing searches without a GPU. */
#ifndef CUTUNE_EVALUATE_EVAL_SYNTH_H
#define CUTUNE_EVALUATE_EVAL_SYNTH_H

#include "evaluate/evaluator.h"
#include "space/valid_set.h"

/* One of several devices. Zeroed: its times are those of the formula. */
struct synth_device {
    double excess;                   /* by how much its times are longer, relative */
    double scatter;                  /* relative standard deviation of that from configuration to configuration */
    double drift;                    /* by how much they become longer still, relative: */
    uint64_t drift_begin, drift_end; /* from this to that measurement of its own */
    bool throttled;                  /* discards samples of each measurement */
    bool broken;                     /* each measurement crashes */
};

struct synth_setup {
    const struct space *space; /* whose `work` counts; NULL: none */
    const struct valid_set *set;
    uint64_t seed; /* determines optimum, failures and noise */
    double noise;  /* relative standard deviation of a time */
    const struct synth_device *devices;
    size_t device_count; /* at least 2: they measure side by side, with noise of their own, and stop early; otherwise
                            there is one, which gives the same time each time */
};

/* Copies the setup, but borrows what it points to. */
int evaluator_open_synth(struct evaluator *evaluator, const struct synth_setup *setup, struct error *error);

/* Time of a configuration without noise, in ns: 1e6 at the optimum, which the seed selects from the set, and more for
 * every parameter that deviates from it. */
double synth_time_ns(const struct valid_set *set, uint64_t seed, uint64_t index);

/* The configuration with the lowest time. */
uint64_t synth_optimum(const struct valid_set *set, uint64_t seed);

/* One configuration in 16 fails, selected by the seed; the optimum never does. */
bool synth_fails(const struct valid_set *set, uint64_t seed, uint64_t index);

/* One in 8 fails when measured again in a play-off; the optimum never does. */
bool synth_fails_again(const struct valid_set *set, uint64_t seed, uint64_t index);

#endif
