/* A series of samples of a time, taken in batches until one of stop_rules.def ends it. */
#ifndef CUTUNE_BASE_SERIES_H
#define CUTUNE_BASE_SERIES_H

#include <stddef.h>

#include "base/stop_rules.h"

enum {
    SERIES_SAMPLES_MAX = 4096,
    SERIES_BATCH_MAX = 16,      /* samples of a batch */
    SERIES_BATCH_NS = 20000000, /* target time of a batch; stop rules are checked between batches */
};

struct series {
    struct stop_progress progress;
    double samples_ns[SERIES_SAMPLES_MAX], sorted_ns[SERIES_SAMPLES_MAX];
    double noises[NOISES]; /* standard deviation over mean of all samples, after each of the last batches */
};

/* Updates the progress after a batch of samples, which the caller has stored and counted: median, interval with this
 * confidence, whether it is as precise as `target_interval` asks for (stop_rules_precise), noise, and the time. */
void series_look(struct series *series, double confidence, double target_interval);

/* The number of samples for the next batch: as many as take `batch_ns`, SERIES_BATCH_MAX at most, and no more than may
 * be needed. */
size_t series_next_batch(const struct stop_progress *progress, double batch_ns);

#endif
