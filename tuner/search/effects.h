/* Effects of single parameter values, learned from the outcomes so far: on the effort of evaluations, and on each cause
 * of failure. Each quantity is a sum of one effect per value of each parameter. */
#ifndef CUTUNE_SEARCH_EFFECTS_H
#define CUTUNE_SEARCH_EFFECTS_H

#include "search/archive.h"
#include "search/posterior.h"
#include "search/strategy.h"

/* Learns the effect of each value on the logarithm of the effort, from outcomes of known effort, and sets it in the
 * posterior. Parameters with little evidence get a small effect. Effort is free unless outcomes of more effort tend to
 * cost more: where speed takes effort, saving effort costs speed. O(outcomes x parameters). False if memory is out. */
bool effects_learn_effort(const struct archive *archive, struct posterior *posterior);

/* Learns the effect of each value on the probability of each cause of failure, and sets the feasibility of candidates
 * in the posterior, from its next clearing on. Ignores a cause whose effects do not predict held-out outcomes: it
 * depends on something else. O(causes x outcomes x parameters). False if memory is out. */
bool effects_learn_failures(const struct archive *archive, struct posterior *posterior);

/* Learns the effect of each value on the score of a configuration in a prior run, by dimension and value, and adds it
 * to `effects`. Each value counts for itself, as neighbours may differ and a landscape has many rows. The scores are by
 * row of the landscape, whose rows have `width` choices. O(rows x parameters). False if memory is out. */
bool effects_learn_scores(const struct encoding *encoding, const struct prior_run *prior_runs, size_t width,
                          const double *scores, double *effects);

#endif
