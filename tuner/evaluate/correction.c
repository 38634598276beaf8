#include "evaluate/correction.h"

#include <math.h>

#include "base/statistics.h"

/* In standard deviations: half an interval of 95 per cent (normal_95), and the deviation of the median of many numbers
 * relative to that of their mean (median_deviation). In median absolute deviations: the standard deviation of a normal
 * distribution (mad_deviation). */
static const double normal_95 = 1.96, mad_deviation = 1.4826, median_deviation = 1.2533;
/* SPREAD_LEAST: fewer calibration configurations may scatter little by chance */
enum { SPREAD_LEAST = 4, NOISE_DEVIATIONS = 3 };

const struct correction correction_unknown = {.factor = NAN, .spread = NAN, .widening = NAN};
const struct correction correction_identity = {.calibration = 1, .factor = 1};
const struct correction correction_guess = {.factor = 1, .widening = 0.1};

struct correction_time correction_time(const struct measurement *measurement)
{
    struct correction_time time = {.measured = true, .log_value = log(measurement->value)};
    double half = (measurement->high - measurement->low) / 2 / measurement->value;
    if (half > 0) /* false for NaN */
        time.deviation = half / normal_95;
    return time;
}

/* Returns the standard deviation of the ratios, estimated by their median absolute deviation, which one outlier does
 * not change. */
static double scatter(const double *ratios, size_t count, double median)
{
    double apart[CORRECTION_SLOTS];
    for (size_t i = 0; i < count; i++)
        apart[i] = fabs(ratios[i] - median);
    statistics_sort(apart, count);
    return mad_deviation * statistics_median(apart, count);
}

struct correction correction_from(const struct correction_time *times, const double *references, size_t count)
{
    double ratios[CORRECTION_SLOTS];
    size_t known = 0;
    for (size_t a = 0; a < count; a++)
        if (times[a].measured && !isnan(references[a]))
            ratios[known++] = references[a] - times[a].log_value;
    if (!known)
        return correction_unknown;
    statistics_sort(ratios, known);
    double median = statistics_median(ratios, known);
    double spread = known < SPREAD_LEAST ? CORRECTION_SPREAD_UNKNOWN : scatter(ratios, known, median);
    /* A configuration scatters as the calibration configurations do, about a median that is itself uncertain. */
    double uncertain = 1 + median_deviation * median_deviation / (double)known;
    return (struct correction){.calibration = known,
                               .factor = exp(median),
                               .spread = spread,
                               .widening = normal_95 * spread * sqrt(uncertain)};
}

bool correction_alarms(const struct correction_time *before, const struct correction_time *now)
{
    double apart = fabs(now->log_value - before->log_value);
    return apart > CORRECTION_ALARM && apart > NOISE_DEVIATIONS * hypot(before->deviation, now->deviation);
}

double correction_drift(const struct correction *first, const struct correction *now)
{
    return first->factor / now->factor - 1;
}

void correction_apply(const struct correction *correction, struct measurement *measurement)
{
    double value = measurement->value, factor = correction->factor;
    if (isnan(value))
        return;
    /* Widen the logarithms, so that the ends stay positive. */
    measurement->low = factor * value * exp(-hypot(log(value / measurement->low), correction->widening));
    measurement->high = factor * value * exp(hypot(log(measurement->high / value), correction->widening));
    measurement->value = factor * value;
    measurement->mean_ns *= factor;
    measurement->run_ns *= factor;
    measurement->correction = factor;
}

double correction_limit(const struct correction *correction, double value)
{
    return value / correction->factor * exp(correction->widening);
}

size_t correction_superfluous(const double *references, size_t count, size_t kept)
{
    size_t found = count;
    double closest = INFINITY;
    for (size_t a = 0; a < count; a++) {
        double below = -INFINITY, above = INFINITY;
        for (size_t b = 0; b < count; b++) {
            bool before = references[b] < references[a] || (references[b] == references[a] && b < a);
            if (b != a && before && references[b] > below)
                below = references[b];
            if (b != a && !before && references[b] < above)
                above = references[b];
        }
        if (a != kept && isfinite(below) && isfinite(above) && above - below < closest) {
            closest = above - below;
            found = a;
        }
    }
    return found;
}
