/* What became of a configuration between two runs: as fast, faster, slower, or no longer usable. */
#ifndef CUTUNE_ANALYSE_VERDICT_H
#define CUTUNE_ANALYSE_VERDICT_H

#include "base/measurement.h"

enum verdict {
    VERDICT_SAME,
    VERDICT_FASTER,
    VERDICT_SLOWER,
    VERDICT_AMBIGUOUS, /* the intervals do not tell */
    VERDICT_BROKEN,    /* had a time before, has none now: it fails */
    VERDICT_MISSING,   /* had a time before, was not evaluated now */
    VERDICT_UNKNOWN,   /* had no time before: there is nothing to compare with */
    VERDICT_COUNT
};

struct verdict_ratio {
    enum verdict verdict;
    bool by_medians; /* an interval is not known, so that the medians alone decide */
    double ratio, low,
        high; /* how many times worse it is now, and the ends that the two intervals allow; NaN: unknown */
};

/* `now` against `before`; NULL is a configuration that was not evaluated, `margin` a fraction: 0.01 for 1%.
 *
 * same: the whole ratio lies within 1 / (1 + margin) .. 1 + margin. Else faster or slower: the intervals do not touch.
 * Else ambiguous. Two intervals of 95% that do not touch are a test at less than 5% (Schenker and Gentleman, "On
 * judging the significance of differences by examining the overlap between confidence intervals", The American
 * Statistician 55, 2001). Where one of the intervals is not known, the ratio of the medians decides by the same margin:
 * never ambiguous.
 */
struct verdict_ratio verdict_of(const struct measurement *before, const struct measurement *now, double margin);

const char *verdict_name(enum verdict verdict);

#endif
