/* The scale of a chart's axis, and its ticks. */
#ifndef CUTUNE_REPORT_CHART_SCALE_H
#define CUTUNE_REPORT_CHART_SCALE_H

#include <stdbool.h>
#include <stddef.h>

enum { CHART_TICKS_MAX = 12, CHART_TICK_BYTES = 32 };

struct chart_scale {
    double low, high; /* the ends, which are ticks */
    bool log;
    size_t count;
    double ticks[CHART_TICKS_MAX]; /* ascending */
};

/* Makes a scale that contains `low` to `high`, with at most `most` (3 to CHART_TICKS_MAX) ticks at 1, 2 or 5 times
 * powers of ten. A logarithmic scale needs a `low` above 0, else it is linear. */
struct chart_scale chart_scale(double low, double high, bool log, size_t most);

/* Place of a number on the scale: 0 at its low end, 1 at its high end. */
double chart_scale_at(const struct chart_scale *scale, double number);

/* "0.25", "2000", "1e6". Returns `buffer`. */
const char *chart_tick(double number, char buffer[CHART_TICK_BYTES]);

#endif
