/* Maps the profiler's metrics to the counters of struct evidence by the rows of counters.def whose metrics a chip
 * has. */
#ifndef CUTUNE_DEVICE_COUNTERS_H
#define CUTUNE_DEVICE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/evidence.h"

enum { COUNTERS_METRICS_MAX = 128, COUNTERS_NAME_BYTES = 128, COUNTERS_ROWS_MAX = 128 };

/* Metrics to collect for a chip, without repetition. */
struct counters {
    size_t count;
    char names[COUNTERS_METRICS_MAX][COUNTERS_NAME_BYTES];
    bool used[COUNTERS_ROWS_MAX]; /* by row of counters.def */
};

/* Chooses the rows for a chip. `has`: true if the chip has the metric. */
void counters_choose(struct counters *counters, bool (*has)(void *context, const char *metric), void *context);

/* Sets the items of the chosen rows from the metrics' values, in the order of `names`. An item whose value is not
 * finite stays unknown. */
void counters_put(const struct counters *counters, const double *values, struct evidence *evidence);

#endif
