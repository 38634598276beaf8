/* How long evaluations take, learned from those so far: the logarithm of an effort is a sum of one effect per value of
 * each parameter. */
#ifndef CUTUNE_SEARCH_EFFORT_H
#define CUTUNE_SEARCH_EFFORT_H

#include "search/archive.h"
#include "search/posterior.h"

/* Learns the effects from the archive's outcomes of known effort, and sets them in the posterior. Parameters of little
 * evidence have little effect. O(outcomes x parameters). False if memory is out. */
bool effort_learn(const struct archive *archive, struct posterior *posterior);

#endif
