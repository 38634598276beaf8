#include "run/estimate.h"

#include <math.h>
#include <string.h>

#include "base/statistics.h"

static double seconds(int64_t ns)
{
    return ns > 0 ? (double)ns * 1e-9 : 0;
}

void estimate_note(struct estimate *estimate, const struct measurement *measurement)
{
    estimate->count++;
    estimate->compile_s += seconds(measurement->compile_ns);
    estimate->measure_s += seconds(measurement->measure_ns);
}

void estimate_note_compiled(struct estimate *estimate, const struct measurement *measurement)
{
    if (measurement->compile_ns >= 0)
        estimate->compile_ns[estimate->compiled++ % ESTIMATE_LATEST] = (double)measurement->compile_ns;
}

int64_t estimate_compile_ns(const struct estimate *estimate)
{
    double sorted_ns[ESTIMATE_LATEST];
    size_t count = estimate->compiled < ESTIMATE_LATEST ? (size_t)estimate->compiled : ESTIMATE_LATEST;
    if (!count)
        return 0;
    memcpy(sorted_ns, estimate->compile_ns, count * sizeof *sorted_ns);
    statistics_sort(sorted_ns, count);
    return (int64_t)statistics_median(sorted_ns, count);
}

double estimate_s(const struct estimate *estimate, const struct evaluator *evaluator, uint64_t more)
{
    if (estimate->compile_s + estimate->measure_s <= 0)
        return NAN;
    return (double)more / (double)estimate->count *
           evaluator->ops->busy_s(evaluator->state, estimate->compile_s, estimate->measure_s);
}

double estimate_effort_s(const struct estimate *estimate, const struct evaluator *evaluator,
                         const struct measurement *measurement)
{
    if (measurement->compile_ns <= 0)
        return NAN;
    double compiling_s = evaluator->ops->busy_s(evaluator->state, estimate->compile_s, 0);
    double measuring_s = evaluator->ops->busy_s(evaluator->state, 0, estimate->measure_s);
    return compiling_s > measuring_s ? seconds(measurement->compile_ns) : NAN;
}
