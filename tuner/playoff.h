/* Who takes part in a play-off, and who wins it: the arithmetic of tuner/run.c, without a device. */
#ifndef CUTUNE_TUNER_PLAYOFF_H
#define CUTUNE_TUNER_PLAYOFF_H

#include "tuner/known.h"

/* How far above the end of the fastest one's interval another one's may begin and still be a finalist. */
double playoff_reach(double high_ns);

/* The finalists among the outcomes that this run has counted: the `most` fastest (at most RUN_FINALISTS_MAX), less
 * those whose interval begins beyond the reach of the fastest one's. Twins are left out: they are the same code. Writes
 * up to `most` configurations, the fastest first, and returns how many. */
size_t playoff_pick(const struct known *known, size_t most, uint64_t *indices);

/* The winner among finalists that have all played: of the fastest and of those that are tied with it, the cheapest.
 * *tied: how many are tied with the fastest. SIZE_MAX when nobody has a time. */
size_t playoff_winner(const struct known *known, const uint64_t *indices, size_t count, size_t *tied);

#endif
