/* Who takes part in a play-off; who wins it, db/outcomes.h says. */
#ifndef CUTUNE_TUNER_PLAYOFF_H
#define CUTUNE_TUNER_PLAYOFF_H

#include "db/outcomes.h"

/* The finalists among the outcomes that have `mark` among their marks: the `most` fastest (at most RUN_FINALISTS_MAX),
 * less those whose interval begins beyond the reach of the fastest one's. Of the same machine code one takes part: the
 * original of duplicates where it is among the marked, else one of the duplicates. Writes up to `most` keys, the
 * fastest first, and returns how many. */
size_t playoff_pick(const struct outcomes *outcomes, unsigned mark, size_t most, uint64_t *keys);

#endif
