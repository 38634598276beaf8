/* A series of samples that the caller takes. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/clock.h"
#include "base/series.h"

struct cutune_series {
    struct series series;
    struct cutune_series_rules rules;
};

static int check_rules(const struct cutune_series_rules *rules, struct error *error)
{
    if (!(rules->confidence > 0 && rules->confidence < 1))
        return error_set(error, ERROR_USAGE, "the confidence %g is not between 0 and 1", rules->confidence);
    if (!(rules->target_interval_percent >= 0))
        return error_set(error, ERROR_USAGE, "the target interval %g%% is negative", rules->target_interval_percent);
    if (!(rules->limit_s >= 0 && rules->limit_s < 1e9))
        return error_set(error, ERROR_USAGE, "%g s is not a time limit", rules->limit_s);
    const size_t least = statistics_samples_least(rules->confidence);
    if (rules->most <= least || rules->most > SERIES_SAMPLES_MAX)
        return error_set(error, ERROR_USAGE, "a confidence of %g takes %zu to %d samples, not %zu", rules->confidence,
                         least + 1, SERIES_SAMPLES_MAX, rules->most);
    return 0;
}

int cutune_series_open(struct cutune_series **series, const struct cutune_series_rules *rules,
                       struct cutune_error *error)
{
    struct error own = {0};
    if (series)
        *series = NULL;
    if (!series || !rules)
        return api_null(error, __func__);
    if (check_rules(rules, &own))
        return api_error(error, &own);
    struct cutune_series *opened = calloc(1, sizeof *opened);
    if (!opened) {
        error_memory(&own);
        return api_error(error, &own);
    }
    const size_t least = statistics_samples_least(rules->confidence);
    opened->rules = *rules;
    opened->series.progress = (struct stop_progress){.least = least,
                                                     .settled = least + 1,
                                                     .most = rules->most,
                                                     .until_ns = clock_now_ns() + (int64_t)(rules->limit_s * 1e9),
                                                     .end_ns = INT64_MAX,
                                                     .incumbent_ns = INFINITY};
    *series = opened;
    return 0;
}

void cutune_series_close(struct cutune_series *series)
{
    free(series);
}

static int check_samples(const struct stop_progress *progress, const double *samples_ns, size_t count,
                         struct error *error)
{
    if (!count || count > progress->most - progress->count)
        return error_set(error, ERROR_USAGE, "%zu samples after %zu: a series of at most %zu takes 1 to %zu more",
                         count, progress->count, progress->most, progress->most - progress->count);
    for (size_t i = 0; i < count; i++)
        if (!(samples_ns[i] > 0 && isfinite(samples_ns[i])))
            return error_set(error, ERROR_VALUE, "the sample %g is not a positive number", samples_ns[i]);
    return 0;
}

int cutune_series_add(struct cutune_series *series, const double *samples_ns, size_t count,
                      struct cutune_estimate *estimate, struct cutune_error *error)
{
    struct error own = {0};
    if (estimate)
        memset(estimate, 0, sizeof *estimate);
    if (!series || !samples_ns || !estimate)
        return api_null(error, __func__);
    struct stop_progress *progress = &series->series.progress;
    if (check_samples(progress, samples_ns, count, &own))
        return api_error(error, &own);
    memcpy(series->series.samples_ns + progress->count, samples_ns, count * sizeof *samples_ns);
    progress->count += count;
    series_look(&series->series, series->rules.confidence, series->rules.target_interval_percent / 100);
    const struct stop_rule *stop = stop_rules_end(progress);
    *estimate = (struct cutune_estimate){.median = progress->median_ns,
                                         .low = progress->interval.low,
                                         .high = progress->interval.high,
                                         .samples = progress->count,
                                         .batch = stop ? 0 : series_next_batch(progress, SERIES_BATCH_NS),
                                         .stop = stop ? stop->name : NULL};
    return 0;
}
