#include "device/steadiness.h"

#include <math.h>
#include <string.h>

#include "base/statistics.h"
#include "base/stop_rules.h"

/* A factor that no user overlooks, while the rank test alone would find any difference in enough rounds. */
static const double UNSTEADY = 2;

/* Computes the sorted deviations and returns their median. */
static double deviate(const double *rounds_ns, size_t count, double deviations[ROUNDS_MAX])
{
    memcpy(deviations, rounds_ns, count * sizeof *deviations);
    statistics_sort(deviations, count);
    const double median_ns = statistics_median(deviations, count);
    for (size_t i = 0; i < count; i++)
        deviations[i] = fabs(deviations[i] / median_ns - 1);
    statistics_sort(deviations, count);
    return statistics_median(deviations, count);
}

bool gpu_unsteady(const double *rounds_ns, const double *leader_ns, size_t count, const struct sampling *sampling)
{
    double deviations[ROUNDS_MAX], leader_deviations[ROUNDS_MAX];
    double median = deviate(rounds_ns, count, deviations), leader = deviate(leader_ns, count, leader_deviations);
    /* two-sided, like the intervals */
    return median > UNSTEADY * leader && median > sampling->target_interval &&
           2 * statistics_larger(deviations, count, leader_deviations, count) <= 1 - sampling->confidence;
}
