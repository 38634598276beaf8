/* The formula of the evaluator `synth`: a simulated run with a known optimum, for testing searches without a GPU. */
#ifndef CUTUNE_EVALUATE_EVAL_SYNTH_H
#define CUTUNE_EVALUATE_EVAL_SYNTH_H

#include "evaluate/evaluator.h"
#include "set/valid_set.h"

/* One of several devices. Zeroed: its times are the formula's. */
struct synth_device {
    double excess;                   /* relative increase of its times */
    double scatter;                  /* relative standard deviation of the increase among configurations */
    double drift;                    /* relative increase from the start to the end of the drift, which */
    uint64_t drift_begin, drift_end; /* are numbers of the device's measurements */
    bool throttled;                  /* discards samples of each measurement */
    bool broken;                     /* each measurement crashes */
};

struct synth_setup {
    const struct space *space; /* space with the `work` to count; NULL: none */
    const struct valid_set *set;
    uint64_t seed; /* determines optimum, failures and noise */
    double noise;  /* relative standard deviation of a time */
    const struct synth_device *devices;
    size_t device_count; /* at least 2: they measure side by side, with noise of their own, and stop early; else one
                            device, which repeats the same time for a configuration */
};

/* Copies the setup, but borrows the objects that it points to. */
int evaluator_open_synth(struct evaluator *evaluator, const struct synth_setup *setup, struct error *error);

/* Returns the time of a configuration without noise, in ns: 1e6 at the optimum, which the seed selects from the set,
 * and more for every parameter that deviates from it. */
double synth_time_ns(const struct valid_set *set, uint64_t seed, uint64_t index);

/* Returns the configuration with the lowest time. */
uint64_t synth_optimum(const struct valid_set *set, uint64_t seed);

/* True if the configuration fails. The seed selects one in 16, but not the optimum. */
bool synth_fails(const struct valid_set *set, uint64_t seed, uint64_t index);

/* True if the configuration fails in a play-off. The seed selects one in 8, but not the optimum. */
bool synth_fails_again(const struct valid_set *set, uint64_t seed, uint64_t index);

#endif
