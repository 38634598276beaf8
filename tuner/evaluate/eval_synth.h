/* The formula behind the evaluator `synth`: a measured run with one known optimum, for testing searches without a GPU.
 */
#ifndef CUTUNE_EVALUATE_EVAL_SYNTH_H
#define CUTUNE_EVALUATE_EVAL_SYNTH_H

#include "evaluate/evaluator.h"
#include "space/valid_set.h"

struct synth_setup {
    const struct valid_set *set;
    uint64_t seed; /* of the optimum, the failures and the noise */
    double noise;  /* relative standard deviation of a time */
};

int evaluator_open_synth(struct evaluator *evaluator, const struct synth_setup *setup, struct error *error);

/* Time of a configuration without noise, in ns: 1e6 at a configuration of the set that the seed draws, more with every
 * parameter that is off it. */
double synth_time_ns(const struct valid_set *set, uint64_t seed, uint64_t index);

/* The configuration where it is lowest. */
uint64_t synth_optimum(const struct valid_set *set, uint64_t seed);

/* One configuration in 16 fails, never the optimum; which ones, the seed says. */
bool synth_fails(const struct valid_set *set, uint64_t seed, uint64_t index);

/* One in 8 fails when it is measured again in a play-off, never the optimum. */
bool synth_fails_again(const struct valid_set *set, uint64_t seed, uint64_t index);

#endif
