/* What depends on single values of parameters, learned from the outcomes so far: how long evaluations take, and which
 * of them fail, by cause. Each is a sum of one effect per value of each parameter. */
#ifndef CUTUNE_SEARCH_EFFECTS_H
#define CUTUNE_SEARCH_EFFECTS_H

#include "search/archive.h"
#include "search/posterior.h"
#include "search/strategy.h"

/* Learns what each value adds to the logarithm of the effort, from outcomes of known effort, and sets it in the
 * posterior. Parameters of little evidence have little effect. Effort is free unless outcomes of more effort tend to
 * cost more: where speed takes effort, saving effort costs speed. O(outcomes x parameters). False if memory is out. */
bool effects_learn_effort(const struct archive *archive, struct posterior *posterior);

/* Learns what each value adds to the probability of each cause of failure, and sets the probability that a candidate
 * works in the posterior, from its next clearing on. A cause whose effects do not predict outcomes that they were not
 * learned from depends on something else, and does not count. O(causes x outcomes x parameters). False if memory is
 * out. */
bool effects_learn_failures(const struct archive *archive, struct posterior *posterior);

/* Learns what each value adds to the score of a configuration elsewhere, by dimension and value, and adds it to
 * `effects`. Each value counts for itself, as neighbours may differ and a landscape has many rows. The scores are by
 * row of the landscape, whose rows have `width` choices. O(rows x parameters). False if memory is out. */
bool effects_learn_scores(const struct encoding *encoding, const struct landscape_elsewhere *elsewhere, size_t width,
                          const double *scores, double *effects);

#endif
