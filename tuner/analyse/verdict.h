/* Is one time longer than another? Told from their intervals, never from two medians alone. */
#ifndef CUTUNE_ANALYSE_VERDICT_H
#define CUTUNE_ANALYSE_VERDICT_H

#include "base/measurement.h"

enum verdict { VERDICT_SAME, VERDICT_FASTER, VERDICT_SLOWER, VERDICT_AMBIGUOUS, VERDICT_COUNT };

struct verdict_ratio {
    enum verdict verdict;
    double ratio, low, high; /* time now / time before, and the ends that the two intervals allow */
};

/* `before` and `now` both have times. same: the whole ratio lies within 1 / (1 + margin) .. 1 + margin. Else faster or
 * slower: the intervals do not touch. Else, or when an interval is not known, ambiguous. Two intervals of 95% that do
 * not touch are a test at less than 5% (Schenker and Gentleman, "On judging the significance of differences by
 * examining the overlap between confidence intervals", The American Statistician 55, 2001). */
struct verdict_ratio verdict_of(const struct measurement *before, const struct measurement *now, double margin);

const char *verdict_name(enum verdict verdict);

#endif
