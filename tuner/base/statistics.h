/* Statistics of a few noisy times. */
#ifndef CUTUNE_BASE_STATISTICS_H
#define CUTUNE_BASE_STATISTICS_H

#include <stddef.h>

struct interval {
    double low, high;
};

/* Sorts `samples` ascending in place. */
void statistics_sort(double *samples, size_t count);
/* Of a sorted array; the mean of the middle two for an even count; NaN for an empty one. */
double statistics_median(const double *sorted, size_t count);
double statistics_mean(const double *samples, size_t count);
/* Of the middle half of a sorted array (the interquartile mean): as robust as a median, and finer than the steps of a
 * timer. NaN for an empty one. */
double statistics_middle_mean(const double *sorted, size_t count);
/* Deviation of the sample (divisor count - 1); 0 for fewer than two. */
double statistics_stddev(const double *samples, size_t count);

/* Confidence interval of the median by order statistics, without any assumption about the distribution: the narrowest
 * symmetric pair of ranks whose binomial coverage is at least `confidence` (David and Nagaraja, "Order Statistics", 3rd
 * ed., section 7.1). With too few samples for the confidence, the whole range. `confidence` in (0, 1). */
struct interval statistics_median_interval(const double *sorted, size_t count, double confidence);

/* The fewest samples for which such an interval has two ends inside the samples' range or on it: 6 for 0.95. */
size_t statistics_samples_least(double confidence);

#endif
