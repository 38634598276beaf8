/* Timing with events. Samples are queued in batches, so that no latency of the host falls between them, and the L2 is
 * flushed before each one by a memset of its size. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/statistics.h"
#include "device/gpu.h"

enum {
    SAMPLES_MIN = 7, /* the fewest for which a 95% interval of the median by order statistics exists is 6 */
    SAMPLES_MAX = 128,
    SAMPLES_SLOWER = 6,
    BATCH_NS = 20000000 /* a batch should not take much longer: stop rules are looked at between batches */
};
static const double confidence = 0.95;
static const double target_width = 0.005; /* half of the interval, relative to the median */
static const double hopeless = 2;         /* two samples this many times over the incumbent are enough */

/* What is timed: queues one run on gpu->stream. */
typedef cudaError_t queue_run(struct gpu *gpu, void *context);

struct sampling {
    size_t count;
    double samples_ns[SAMPLES_MAX], sorted_ns[SAMPLES_MAX];
    double median_ns;
    struct interval interval;
    bool slower;
};

static cudaError_t run_batch(struct gpu *gpu, queue_run *queue, void *context, size_t batch, double *samples_ns)
{
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < batch && !result; i++) {
        result = cudaMemsetAsync(gpu->flush, (int)i, gpu->flush_bytes, gpu->stream);
        if (!result)
            result = cudaEventRecord(gpu->events[2 * i], gpu->stream);
        if (!result)
            result = queue(gpu, context);
        if (!result)
            result = cudaEventRecord(gpu->events[2 * i + 1], gpu->stream);
    }
    cudaError_t finished = cudaStreamSynchronize(gpu->stream);
    if (!result)
        result = finished;
    for (size_t i = 0; i < batch && !result; i++) {
        float ms = 0;
        result = cudaEventElapsedTime(&ms, gpu->events[2 * i], gpu->events[2 * i + 1]);
        samples_ns[i] = round((double)ms * 1e6); /* a float of milliseconds has no more digits */
    }
    return result;
}

/* True when no further sample is needed. */
static bool enough(struct sampling *sampling, double incumbent_ns)
{
    size_t count = sampling->count;
    memcpy(sampling->sorted_ns, sampling->samples_ns, count * sizeof *sampling->samples_ns);
    statistics_sort(sampling->sorted_ns, count);
    sampling->median_ns = statistics_median(sampling->sorted_ns, count);
    sampling->interval = statistics_median_interval(sampling->sorted_ns, count, confidence);
    sampling->slower = count >= SAMPLES_SLOWER ? sampling->interval.low > incumbent_ns
                                               : count >= 2 && sampling->sorted_ns[0] > hopeless * incumbent_ns;
    double width = (sampling->interval.high - sampling->interval.low) / 2;
    return sampling->slower || count >= SAMPLES_MAX ||
           (count >= SAMPLES_MIN && width <= target_width * sampling->median_ns);
}

static cudaError_t sample(struct gpu *gpu, queue_run *queue, void *context, double incumbent_ns, int64_t limit_ns,
                          struct sampling *sampling)
{
    int64_t start_ns = clock_now_ns();
    size_t batch = 2;
    memset(sampling, 0, sizeof *sampling);
    do {
        if (batch > SAMPLES_MAX - sampling->count)
            batch = SAMPLES_MAX - sampling->count;
        cudaError_t result = run_batch(gpu, queue, context, batch, sampling->samples_ns + sampling->count);
        if (result)
            return result;
        sampling->count += batch;
        if (enough(sampling, incumbent_ns))
            return cudaSuccess;
        double fit = BATCH_NS / (sampling->median_ns + 1);
        batch = fit < 1 ? 1 : fit > GPU_BATCH_MAX ? GPU_BATCH_MAX : (size_t)fit;
        if (sampling->count < SAMPLES_MIN && batch > SAMPLES_MIN - sampling->count)
            batch = SAMPLES_MIN - sampling->count;
    } while (clock_now_ns() - start_ns < limit_ns);
    return cudaSuccess;
}

static cudaError_t queue_kernel(struct gpu *gpu, void *context)
{
    return gpu_launch(gpu, context);
}

void gpu_measure(struct gpu *gpu, struct gpu_kernel *kernel, double incumbent_ns, int64_t limit_ns,
                 struct measurement *measurement)
{
    struct sampling sampling;
    cudaError_t result = sample(gpu, queue_kernel, kernel, incumbent_ns, limit_ns, &sampling);
    if (result) {
        measurement->status = STATUS_CRASHED;
        measurement_explain(measurement, "right once, then died when repeated: %s", cudaGetErrorString(result));
        gpu->spoiled = true;
        return;
    }
    measurement->time_ns = sampling.median_ns;
    measurement->low_ns = sampling.interval.low;
    measurement->high_ns = sampling.interval.high;
    measurement->samples = (uint32_t)sampling.count;
    if (sampling.slower)
        measurement->status = STATUS_SLOWER;
}

struct copy {
    void *from, *to;
    size_t bytes;
};

static cudaError_t queue_copy(struct gpu *gpu, void *context)
{
    struct copy *copy = context;
    return cudaMemcpyAsync(copy->to, copy->from, copy->bytes, cudaMemcpyDeviceToDevice, gpu->stream);
}

int gpu_measure_copy(struct gpu *gpu, struct error *error)
{
    /* Large enough that start-up does not count and the L2 does not help, as far as the memory allows. */
    static const size_t copy_most_bytes = (size_t)2 << 30, copy_least_bytes = 16 << 20;
    static const int64_t limit_ns = 1000000000;
    struct sampling sampling;
    struct copy copy = {.bytes = copy_most_bytes};
    cudaError_t result;
    gpu->copy_ceiling = NAN;
    for (; copy.bytes >= copy_least_bytes; copy.bytes /= 2) {
        result = cudaMalloc(&copy.from, copy.bytes * 2);
        if (result == cudaSuccess)
            break;
        copy.from = NULL;
        cudaGetLastError();
    }
    if (!copy.from)
        return 0; /* a full device: the ceiling stays unknown */
    copy.to = (char *)copy.from + copy.bytes;
    result = cudaMemset(copy.from, 1, copy.bytes * 2);
    if (!result) /* the first round wakes the clocks up; the second counts */
        result = sample(gpu, queue_copy, &copy, INFINITY, limit_ns, &sampling);
    if (!result)
        result = sample(gpu, queue_copy, &copy, INFINITY, limit_ns, &sampling);
    if (!result)
        gpu->copy_ceiling = 2 * (double)copy.bytes / sampling.median_ns * 1e9;
    cudaFree(copy.from);
    return gpu_check(result, "measuring the copy ceiling", error);
}
