/* Selects the finalists of a play-off. db/outcomes.h defines who wins. */
#ifndef CUTUNE_TUNER_PLAYOFF_H
#define CUTUNE_TUNER_PLAYOFF_H

#include "db/outcomes.h"

/* Selects the finalists among outcomes with `mark`: the `most` fastest (at most RUN_FINALISTS_MAX), without those whose
 * interval begins beyond the reach of the fastest one's. Of equal machine code only one takes part: the original if it
 * is marked, else a duplicate. Writes up to `most` keys, the fastest first, and returns their number. */
size_t playoff_pick(const struct outcomes *outcomes, unsigned mark, size_t most, uint64_t *keys);

#endif
