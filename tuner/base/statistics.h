/* Robust statistics of small samples of noisy times. */
#ifndef CUTUNE_BASE_STATISTICS_H
#define CUTUNE_BASE_STATISTICS_H

#include <stddef.h>

struct interval {
    double low, high;
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

/* The least number of samples for which such an interval exists: 6 for 0.95. */
size_t statistics_samples_least(double confidence);

#endif
