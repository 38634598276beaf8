#include "base/series.h"

#include <string.h>

#include "base/clock.h"
#include "base/statistics.h"

/* The noise is that of nvbench's rule. */
void series_look(struct series *series, double confidence, double target_interval)
{
    struct stop_progress *progress = &series->progress;
    size_t count = progress->count;
    memcpy(series->sorted_ns, series->samples_ns, count * sizeof *series->samples_ns);
    statistics_sort(series->sorted_ns, count);
    progress->fastest_ns = series->sorted_ns[0];
    progress->median_ns = statistics_median(series->sorted_ns, count);
    progress->interval = statistics_median_interval(series->sorted_ns, count, confidence);
    progress->precise = stop_rules_precise(target_interval, progress->interval, progress->median_ns);
    series->noises[progress->batches++ % NOISES] =
        statistics_stddev(series->samples_ns, count) / statistics_mean(series->samples_ns, count);
    progress->noise_mean = statistics_mean(series->noises, NOISES);
    progress->noise_stddev = statistics_stddev(series->noises, NOISES);
    progress->now_ns = clock_now_ns();
}

size_t series_next_batch(const struct stop_progress *progress, double batch_ns)
{
    double fit = batch_ns / (progress->median_ns + 1);
    size_t batch = fit < 1 ? 1 : fit > SERIES_BATCH_MAX ? SERIES_BATCH_MAX : (size_t)fit;
    size_t missing = progress->settled > progress->count ? progress->settled - progress->count : batch;
    if (batch > missing)
        batch = missing;
    return batch < progress->most - progress->count ? batch : progress->most - progress->count;
}
