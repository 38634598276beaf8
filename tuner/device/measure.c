/* Times runs with events. Samples are queued in batches, so that the host's latency does not separate them. Runs of
 * several launches and runs without a flush are queued while the stream is held; a batch of other runs is repeated that
 * way if the host was late. Before each sample the inout buffers get their initial contents again, because a kernel may
 * be faster on its own output. For a cold cache, a memset of the L2's size then flushes it. */
#include "device/measure.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/samples_text.h"
#include "base/series.h"
#include "base/statistics.h"
#include "device/buffers.h"
#include "device/clock.h"
#include "device/gpu.h"
#include "device/launch.h"
#include "device/library.h"
#include "device/rest.h"
#include "device/stamps.h"
#include "device/stream_gate.h"
#include "device/techniques.h"
#include "device/timer.h"
#include "device/verify.h"

enum {
    QUEUE_ENTRIES = 768, /* that a hold may fill, of about 1024 in the device's queue */
    TAIL_RUNS = GPU_BATCH_MAX,
    RUN_ENTRIES = 8, /* of a run, besides its launches and a copy or memset for each buffer and variable */
    DISCARDS_MAX = 6 /* consecutive batches; then a throttled device is measured as it is */
};
/* late_samples: part of a batch's samples that may be late, which hardly moves the median. late_time: a sample is late
 * beyond this part of its time. */
static const double late_samples = 0.125, late_time = 0.01;
static const int64_t pause_ns = 50000000; /* after a throttled batch; doubles after each further batch */

/* Times at which the host began to queue the flush of a run, and had queued the run. */
struct queued {
    int64_t begin_ns, end_ns;
};

/* Queues the untimed work before a run. */
static cudaError_t prepare(struct gpu *gpu, const struct gpu_timed *timed, size_t run, struct queued *queued)
{
    cudaError_t result = timed->restore ? timed->restore(gpu, timed->context) : cudaSuccess;
    queued->begin_ns = clock_now_ns();
    if (!result && !timed->warm)
        result = cudaMemsetAsync(gpu->flush, (int)run, gpu->flush_bytes, gpu->stream);
    return result || !timed->settle ? result : timed->settle(gpu, timed->context);
}

/* Releases the runs held so far, and holds the following ones. */
static cudaError_t hold_again(struct gpu *gpu, bool release)
{
    if (release)
        gpu_release(gpu);
    return gpu_close_gate(gpu);
}

/* Queues work behind a held batch. Without it, events and kernels of the last runs would follow each other faster than
 * those of the first ones. */
static cudaError_t queue_tail(struct gpu *gpu)
{
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < TAIL_RUNS && !result; i++) {
        result = cudaEventRecord(gpu->events[2 * GPU_BATCH_MAX], gpu->stream);
        if (!result)
            result = gpu_queue_shortest(gpu);
    }
    return result;
}

static cudaError_t queue_batch(struct gpu *gpu, const struct gpu_timed *timed, size_t batch, struct queued *queued)
{
    cudaError_t result = cudaSuccess;
    if (timed->warm && !timed->renew) {
        result = prepare(gpu, timed, 0, queued);
        if (!result)
            result = timed->queue(gpu, timed->context);
    }
    for (size_t i = 0; i < batch && !result; i++) {
        if (timed->held && i % timed->held == 0)
            result = hold_again(gpu, i > 0);
        if (!result)
            result = prepare(gpu, timed, i, &queued[i]);
        if (!result && timed->renew)
            result = gpu_queue_stamp(gpu, 0);
        if (!result)
            result = cudaEventRecord(gpu->events[2 * i], gpu->stream);
        if (!result)
            result = timed->queue(gpu, timed->context);
        if (!result)
            result = cudaEventRecord(gpu->events[2 * i + 1], gpu->stream);
        queued[i].end_ns = clock_now_ns();
        if (!result && timed->renew)
            result = gpu_queue_stamp(gpu, 1);
    }
    if (timed->held && !result)
        result = queue_tail(gpu);
    if (timed->held)
        gpu_release(gpu);
    return result ? result : gpu_clock_queue(gpu);
}

static void note_condition(const struct gpu *gpu, struct measurement *measurement,
                           const struct gpu_condition *condition)
{
    int64_t deciding = condition->reasons;
    if (deciding >= 0)
        deciding = gpu_at_cap(gpu, condition) ? deciding | POWER_CAP_REASON : deciding & ~(int64_t)POWER_CAP_REASON;
    int64_t mhz = isnan(condition->mhz) ? -1 : llround(condition->mhz);
    if (mhz >= 0 && (measurement->clock_mhz < 0 || mhz < measurement->clock_mhz))
        measurement->clock_mhz = mhz;
    if (condition->reasons >= 0)
        measurement->throttle_reasons =
            (measurement->throttle_reasons < 0 ? 0 : measurement->throttle_reasons) | condition->reasons;
    power_states_add(measurement->states, &(struct power_reading){condition->mhz, deciding, condition->celsius});
}

/* True if the device waited for the host within too many samples. The flush hides queueing that is not longer: the
 * device cannot begin a run before the previous one and its own flush have ended. */
static bool host_was_late(const struct gpu *gpu, const struct queued *queued, const double *samples_ns, size_t batch)
{
    int64_t ended_ns = 0;
    size_t late = 0;
    for (size_t i = 0; i < batch; i++) {
        int64_t begin_ns = queued[i].begin_ns > ended_ns ? queued[i].begin_ns : ended_ns;
        int64_t flushed_ns = begin_ns + gpu->flush_ns;
        late += (double)(queued[i].end_ns - flushed_ns) > late_time * samples_ns[i];
        ended_ns = flushed_ns + (int64_t)samples_ns[i];
    }
    return (double)late > late_samples * (double)batch;
}

/* Runs a batch, repeatedly while the device is throttled. */
static cudaError_t run_unthrottled(struct gpu *gpu, const struct gpu_timed *timed, size_t batch, int64_t until_ns,
                                   double *samples_ns, struct queued *queued, struct measurement *measurement)
{
    struct gpu_condition condition;
    cudaError_t result;
    for (int discards = 0;; discards++) {
        int64_t wait_ns = pause_ns << discards;
        result = timed->renew ? timed->renew(gpu, timed->context) : cudaSuccess;
        if (result)
            return result;
        result = queue_batch(gpu, timed, batch, queued);
        cudaError_t finished = cudaStreamSynchronize(gpu->stream);
        if (!result)
            result = finished;
        if (result)
            return result;
        condition = gpu_clock_read(gpu);
        if (!condition.throttled || discards == DISCARDS_MAX || clock_now_ns() + wait_ns >= until_ns)
            break;
        measurement->discarded += (uint32_t)batch;
        gpu_pause(wait_ns);
    }
    note_condition(gpu, measurement, &condition);
    gpu_note_power(gpu, &condition);
    for (size_t i = 0; i < batch && !result; i++) {
        float ms = 0;
        result = cudaEventElapsedTime(&ms, gpu->events[2 * i], gpu->events[2 * i + 1]);
        samples_ns[i] = gpu_timer_read(&gpu->calibration.timer, ms);
    }
    if (timed->renew && !result)
        result = gpu_check_stamps(gpu, samples_ns[0]);
    return result;
}

cudaError_t gpu_run_batch(struct gpu *gpu, const struct gpu_timed *timed, size_t batch, int64_t until_ns,
                          double *samples_ns, struct measurement *measurement)
{
    struct queued queued[GPU_BATCH_MAX];
    struct gpu_timed held = *timed;
    cudaError_t result = cudaSuccess;
    if (timed->renew && batch > 1) {
        for (size_t i = 0; i < batch && !result; i++)
            result = gpu_run_batch(gpu, timed, 1, until_ns, samples_ns + i, measurement);
        return result;
    }
    result = run_unthrottled(gpu, timed, batch, until_ns, samples_ns, queued, measurement);
    if (result || timed->held || timed->warm || !timed->holdable || !gpu->flush_ns ||
        !host_was_late(gpu, queued, samples_ns, batch))
        return result;
    held.held = timed->holdable;
    return run_unthrottled(gpu, &held, batch, until_ns, samples_ns, queued, measurement);
}

const struct gpu_incumbent gpu_no_incumbent = {INFINITY, POWER_UNKNOWN};

/* Samples until a rule ends the series, with a rest before each batch if `rests`. */
static cudaError_t sample(struct gpu *gpu, const struct gpu_timed *timed, struct gpu_incumbent incumbent, bool rests,
                          size_t batch, struct series *series, const struct stop_rule **stop,
                          struct measurement *measurement)
{
    struct stop_progress *progress = &series->progress;
    for (*stop = NULL; !*stop; batch = series_next_batch(progress, rests ? REST_BATCH_NS : SERIES_BATCH_NS)) {
        double *samples_ns = series->samples_ns + progress->count;
        const int64_t part_ns = (int64_t)((double)batch * progress->median_ns), aside_ns = gpu->aside_ns;
        cudaError_t result = rests
                                 ? gpu_run_rested(gpu, timed, batch, part_ns, progress->end_ns, samples_ns, measurement)
                                 : gpu_run_batch(gpu, timed, batch, progress->until_ns, samples_ns, measurement);
        if (result)
            return result;
        progress->until_ns += gpu->aside_ns - aside_ns;
        progress->end_ns += gpu->aside_ns - aside_ns;
        progress->count += batch;
        series_look(series, gpu->sampling.confidence, gpu->sampling.target_interval);
        double factor =
            power_least_factor(power_of(measurement->states), incumbent.state, gpu->calibration.settled_mhz);
        progress->incumbent_ns = incumbent.ns / factor; /* factor 0: infinity, so that no verdict is made */
        *stop = stop_rules_end(progress);
    }
    return cudaSuccess;
}

/* True if a complete series at the power cap can be taken again after rests. */
static bool may_rest(const struct gpu *gpu, const struct stop_progress *progress, const struct measurement *measurement)
{
    enum power_state state = power_of(measurement->states).state;
    return (state == POWER_CAP || state == POWER_MIXED) && gpu_rests(gpu) &&
           progress->now_ns + SAMPLES_NS < progress->end_ns;
}

cudaError_t gpu_sample(struct gpu *gpu, const struct gpu_timed *timed, struct gpu_incumbent incumbent,
                       int64_t timeout_ns, struct measurement *measurement)
{
    const size_t least = statistics_samples_least(gpu->sampling.confidence);
    const int64_t start_ns = clock_now_ns();
    const struct stop_progress begin = {.least = least,
                                        .settled = least + 1,
                                        .most = gpu->sampling.samples,
                                        .until_ns = start_ns + (timeout_ns < SAMPLES_NS ? timeout_ns : SAMPLES_NS),
                                        .end_ns = start_ns + timeout_ns};
    struct series series = {.progress = begin};
    struct stop_progress *progress = &series.progress;
    const struct stop_rule *stop = NULL;
    size_t batch = timed->run_ns > timeout_ns / 2 ? 1 : 2; /* a second run may leave no time to verify again */
    cudaError_t result = gpu_rest(gpu, timed->run_ns, begin.until_ns); /* from what other kernels left behind */
    if (!result)
        result = sample(gpu, timed, incumbent, false, batch, &series, &stop, measurement);
    if (!result && stop->status == STATUS_OK && may_rest(gpu, progress, measurement)) {
        double median_ns = progress->median_ns;
        size_t discarded = progress->count;
        *progress = begin;
        progress->median_ns = median_ns;
        progress->until_ns = clock_now_ns() + SAMPLES_NS;
        measurement->discarded += (uint32_t)discarded;
        measurement_forget_states(measurement);
        result = sample(gpu, timed, incumbent, true, 1, &series, &stop, measurement);
    }
    if (result)
        return result;
    measurement->value = progress->median_ns;
    measurement->mean_ns = statistics_mean(series.samples_ns, progress->count);
    measurement->low = progress->interval.low;
    measurement->high = progress->interval.high;
    measurement->samples = (uint32_t)progress->count;
    measurement->status = stop->status;
    if (gpu->sampling.kept)
        samples_text_print(&gpu->samples, series.samples_ns, progress->count);
    return cudaSuccess;
}

static cudaError_t queue_kernel(struct gpu *gpu, void *kernel)
{
    return gpu_launch(gpu, kernel);
}

static cudaError_t restore_kernel(struct gpu *gpu, void *context)
{
    struct gpu_kernel *kernel = context;
    cudaError_t result = gpu_restore(gpu);
    const struct gpu_way *way = gpu_way_of(&kernel->launch);
    if (!result)
        result = gpu_techniques_restore(gpu, kernel, false);
    return result || !way || !way->restore ? result : way->restore(gpu, kernel);
}

static cudaError_t settle_kernel(struct gpu *gpu, void *context)
{
    struct gpu_kernel *kernel = context;
    return gpu_way_of(&kernel->launch)->settle(gpu, kernel);
}

uint64_t gpu_launches_queued(const struct gpu_kernel *kernel)
{
    return kernel->shared_object  ? GPU_LIBRARY_LAUNCHES
           : kernel->launch.graph ? 1
                                  : space_launch_count(&kernel->launch);
}

/* Bounds the copies that set variables, one for each part of the machine code, and surfaces before a run. */
static size_t copies_queued(const struct gpu_kernel *kernel)
{
    size_t parts = 0;
    while (parts < BUNDLE_PARTS_MAX && kernel->libraries[parts])
        parts++;
    return parts * kernel->launch.variable_count + kernel->launch.texture_count;
}

/* Returns the number of runs that one hold can queue: none if a run waits for the device or exceeds its queue. */
static size_t runs_holdable(const struct gpu *gpu, const struct gpu_kernel *kernel, bool settles)
{
    bool waits = settles || kernel->launch.until_count;
    return waits ? 0
                 : (size_t)(QUEUE_ENTRIES /
                            (gpu_launches_queued(kernel) + gpu->buffer_count + copies_queued(kernel) + RUN_ENTRIES));
}

struct gpu_timed gpu_timed_kernel(const struct gpu *gpu, struct gpu_kernel *kernel)
{
    const struct gpu_way *way = gpu_way_of(&kernel->launch);
    bool settles = way && way->settle;
    size_t holdable = runs_holdable(gpu, kernel, settles);
    /* The flush before a single launch takes longer than queueing it, so a hold would only cost time. */
    bool hidden = gpu_launches_queued(kernel) == 1 && !gpu->sampling.warm;
    return (struct gpu_timed){.restore = restore_kernel,
                              .queue = queue_kernel,
                              .settle = settles ? settle_kernel : NULL,
                              .context = kernel,
                              .warm = gpu->sampling.warm,
                              .held = hidden ? 0 : holdable,
                              .holdable = holdable,
                              .run_ns = kernel->verify_ns};
}

void gpu_note_unheld(const struct gpu *gpu, const struct gpu_kernel *kernel, struct measurement *measurement)
{
    uint64_t launches = space_launch_count(&kernel->launch);
    if (launches > 1 && !kernel->launch.until_count && !gpu_way_of(&kernel->launch) &&
        runs_holdable(gpu, kernel, false) == 0)
        measurement_explain(measurement,
                            "%llu launches are more than can be queued before the first one starts: the time may "
                            "contain the host's latency, which `graph 1` avoids",
                            (unsigned long long)launches);
}

const char gpu_when_repeated[] = "correct at first, then failed when repeated: ";

void gpu_measure(struct gpu *gpu, struct gpu_kernel *kernel, struct gpu_incumbent incumbent, int64_t timeout_ns,
                 struct measurement *measurement)
{
    const struct gpu_timed timed = gpu_timed_kernel(gpu, kernel);
    cudaError_t result = gpu_enter(gpu, kernel);
    if (!result)
        result = gpu_sample(gpu, &timed, incumbent, timeout_ns, measurement);
    cudaError_t left = gpu_leave(gpu, kernel);
    if (result || left)
        gpu_note_failure(gpu, result ? result : left, gpu_when_repeated, measurement);
    else
        gpu_note_unheld(gpu, kernel, measurement);
}
