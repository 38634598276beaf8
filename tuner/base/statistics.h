/* Robust statistics of small samples of noisy times. */
#ifndef CUTUNE_BASE_STATISTICS_H
#define CUTUNE_BASE_STATISTICS_H

#include <stddef.h>

struct interval {
    double low, high;
};

/* A value and its interval. */
struct bounded {
    double value, low, high;
};

/* Sorts `samples` ascending in place. */
void statistics_sort(double *samples, size_t count);
/* Returns the value at `rank` of the sorted order. Reorders the samples; O(count) on average (Hoare, "Algorithm 65:
 * Find", 1961). `rank` < `count`. */
double statistics_select(double *samples, size_t count, size_t rank);
/* The median of a sorted array: for an even count the mean of the middle two. NaN for an empty array. */
double statistics_median(const double *sorted, size_t count);
double statistics_mean(const double *samples, size_t count);
/* The interquartile mean of a sorted array: as robust as the median, but finer than the resolution of a timer. NaN for
 * an empty array. */
double statistics_middle_mean(const double *sorted, size_t count);
/* Standard deviation of the sample (divisor count - 1); 0 for fewer than two. */
double statistics_stddev(const double *samples, size_t count);

/* Confidence interval of the median by order statistics, for any distribution: the narrowest symmetric pair of ranks
 * whose binomial coverage is at least `confidence` (David and Nagaraja, "Order Statistics", 3rd ed., section 7.1).
 * The whole range if there are too few samples for the confidence. `confidence` in (0, 1). */
struct interval statistics_median_interval(const double *sorted, size_t count, double confidence);

/* The confidence of that interval: `confidence`, or less if there are too few samples. The range of n samples
 * holds the median with the probability 1 - 2 / 2^n: 0.96875 for 6, 0.5 for 2. 0 without samples. */
double statistics_median_confidence(size_t count, double confidence);

/* The least number of samples for which such an interval exists: 6 for 0.95. */
size_t statistics_samples_least(double confidence);

/* Tests if the values of `a` tend to be larger than those of `b`. Returns the probability of so many larger ones if
 * both come from the same distribution; small: `a` is larger. The one-sided test of Mann and Whitney ("On a test of
 * whether one of two random variables is stochastically larger than the other", 1947), with the normal approximation,
 * corrected for ties and continuity. Both arrays are sorted. 1 if either is empty or all values are equal. */
double statistics_larger(const double *a, size_t a_count, const double *b, size_t b_count);

/* The factor by which the standard error of a mean of `count` samples becomes half its confidence interval, by Student
 * ("The probable error of a mean", 1908): 4.303 for three samples and 0.95. Infinity for fewer than two. */
double statistics_student(size_t count, double confidence);

/* The geometric mean of few positive samples that are means themselves, and its interval by Student from their
 * logarithms. Without samples, all NaN; of one, the interval is unbounded: from 0 to infinity. */
struct bounded statistics_geometric(const double *samples, size_t count, double confidence);

#endif
