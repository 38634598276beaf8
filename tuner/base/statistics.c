#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void statistics_sort(double *samples, size_t count)
{
    if (count)
        qsort(samples, count, sizeof *samples, compare);
}

double statistics_select(double *samples, size_t count, size_t rank)
{
    ptrdiff_t low = 0, high = (ptrdiff_t)count - 1, at = (ptrdiff_t)rank;
    while (low < high) {
        double pivot = samples[at];
        ptrdiff_t up = low, down = high;
        do {
            while (samples[up] < pivot)
                up++;
            while (pivot < samples[down])
                down--;
            if (up <= down) {
                double swapped = samples[up];
                samples[up++] = samples[down];
                samples[down--] = swapped;
            }
        } while (up <= down);
        low = down < at ? up : low;
        high = at < up ? down : high;
    }
    return samples[rank];
}

double statistics_median(const double *sorted, size_t count)
{
    if (count == 0)
        return NAN;
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

double statistics_mean(const double *samples, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += samples[i];
    return count ? sum / (double)count : NAN;
}

double statistics_middle_mean(const double *sorted, size_t count)
{
    size_t cut = count / 4;
    return statistics_mean(sorted + cut, count - 2 * cut);
}

double statistics_stddev(const double *samples, size_t count)
{
    double mean = statistics_mean(samples, count), sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (samples[i] - mean) * (samples[i] - mean);
    return count > 1 ? sqrt(sum / (double)(count - 1)) : 0;
}

struct interval statistics_median_interval(const double *sorted, size_t count, double confidence)
{
    if (count == 0)
        return (struct interval){NAN, NAN};
    /* P(fewer than k samples below the median) = sum_{i<k} C(n, i) / 2^n. The interval from the k-th smallest to the
     * k-th largest (k from 1) misses the median with twice that probability; take the largest k that keeps the
     * confidence. */
    double n = (double)count, below = 0, miss = 1 - confidence;
    size_t rank = 0;
    for (size_t k = 1; 2 * k <= count; k++) {
        double i = (double)(k - 1);
        below += exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) - n * M_LN2);
        if (2 * below > miss)
            break;
        rank = k - 1;
    }
    return (struct interval){sorted[rank], sorted[count - 1 - rank]};
}

size_t statistics_samples_least(double confidence)
{
    /* All samples lie on one side of the median with probability 2 / 2^n. */
    size_t count = 1;
    for (double miss = 1; miss > 1 - confidence && count < 1000; miss /= 2)
        count++;
    return count;
}

double statistics_median_confidence(size_t count, double confidence)
{
    return count == 0 ? 0 : fmin(confidence, 1 - 2 / exp2((double)count));
}

/* Returns the number of values equal to the one at `from`. */
static size_t equal_from(const double *sorted, size_t count, size_t from, double value)
{
    size_t end = from;
    while (end < count && sorted[end] == value)
        end++;
    return end - from;
}

double statistics_larger(const double *a, size_t a_count, const double *b, size_t b_count)
{
    double wins = 0, ties = 0, na = (double)a_count, nb = (double)b_count, n = na + nb;
    for (size_t i = 0, j = 0; i < a_count || j < b_count;) {
        double value = j == b_count || (i < a_count && a[i] < b[j]) ? a[i] : b[j];
        size_t in_a = equal_from(a, a_count, i, value), in_b = equal_from(b, b_count, j, value);
        double together = (double)(in_a + in_b);
        wins += (double)in_a * ((double)j + (double)in_b / 2);
        ties += together * together * together - together;
        i += in_a;
        j += in_b;
    }
    double variance = a_count && b_count ? na * nb / 12 * (n + 1 - ties / (n * (n - 1))) : 0;
    return variance > 0 ? erfc((wins - na * nb / 2 - 0.5) / sqrt(2 * variance)) / 2 : 1;
}

/* The probability that the magnitude of Student's t with this many degrees of freedom stays below sqrt(degrees) *
 * tan(angle): a finite series (Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4). */
static double student_within(size_t degrees, double angle)
{
    const double cosine = cos(angle);
    const size_t odd = degrees % 2;
    double term = odd ? cosine : 1, sum = degrees > 1 ? term : 0;
    for (size_t k = 2 + odd; k < degrees; k += 2) {
        term *= cosine * cosine * ((double)k - 1) / (double)k;
        sum += term;
    }
    return odd ? 2 / M_PI * (angle + sin(angle) * sum) : sin(angle) * sum;
}

double statistics_student(size_t count, double confidence)
{
    double low = 0, high = M_PI / 2;
    if (count < 2)
        return INFINITY;
    for (int i = 0; i < 60; i++) { /* to the last bit */
        double angle = (low + high) / 2;
        *(student_within(count - 1, angle) < confidence ? &low : &high) = angle;
    }
    return sqrt((double)(count - 1)) * tan(high);
}

struct bounded statistics_geometric(const double *samples, size_t count, double confidence)
{
    double sum = 0, squares = 0;
    if (count == 0)
        return (struct bounded){NAN, NAN, NAN};
    if (count == 1)
        return (struct bounded){samples[0], 0, INFINITY};
    for (size_t i = 0; i < count; i++) /* relative to the first, so that equal samples are exact */
        sum += log(samples[i] / samples[0]);
    const double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++) {
        double off = log(samples[i] / samples[0]) - mean;
        squares += off * off;
    }
    double half = statistics_student(count, confidence) * sqrt(squares / (double)(count - 1) / (double)count);
    return (struct bounded){samples[0] * exp(mean), samples[0] * exp(mean - half), samples[0] * exp(mean + half)};
}
