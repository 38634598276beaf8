/* How a configuration changed between two runs: same, faster, slower, or no longer usable. */
#ifndef CUTUNE_ANALYSE_VERDICT_H
#define CUTUNE_ANALYSE_VERDICT_H

#include "base/measurement.h"

enum verdict {
    VERDICT_SAME,
    VERDICT_FASTER,
    VERDICT_SLOWER,
    VERDICT_AMBIGUOUS,   /* the intervals are not decisive */
    VERDICT_BROKEN,      /* timed before, fails now */
    VERDICT_MISSING,     /* timed before, not evaluated now */
    VERDICT_UNKNOWN,     /* not timed before: no comparison */
    VERDICT_OTHER_STATE, /* one was timed at the power cap, the other one without it: no comparison */
    VERDICT_COUNT
};

struct verdict_ratio {
    enum verdict verdict;
    bool by_medians;         /* an interval is unknown: only the medians decide */
    double ratio, low, high; /* how many times worse it is now, and the bounds by the two intervals; NaN: unknown */
};

/* Compares `now` with `before`; NULL is a configuration that was not evaluated. `margin` is a fraction: 0.01 for 1%.
 *
 * same: the whole ratio lies within 1 / (1 + margin) .. 1 + margin. Otherwise faster or slower: the intervals do not
 * touch. Otherwise ambiguous. Two disjoint 95% intervals are a test at less than 5% (Schenker and Gentleman, "On
 * judging the significance of differences by examining the overlap between confidence intervals", The American
 * Statistician 55, 2001). If an interval is unknown, the ratio of the medians decides by the same margin and is never
 * ambiguous. Times of different power states have a ratio, but no other verdict. */
struct verdict_ratio verdict_of(const struct measurement *before, const struct measurement *now, double margin);

const char *verdict_name(enum verdict verdict);

#endif
