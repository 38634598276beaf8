#include "device/timer.h"

#include <math.h>

#include "base/clock.h"
#include "base/statistics.h"

enum { SERIES_SAMPLES = 4 * GPU_BATCH_MAX, GRAPH_LAUNCHES = 20 };
static const int64_t throttled_ns = 500000000; /* limit of the wait for a device that is throttled */

static cudaError_t queue_empty(struct gpu *gpu, void *context)
{
    unsigned long long unused = 0;
    void *arguments[] = {&unused};
    cudaLaunchConfig_t config = {.gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}, .stream = gpu->stream};
    (void)context;
    return cudaLaunchKernelExC(&config, (const void *)gpu->helpers[HELPER_EMPTY], arguments);
}

static cudaError_t queue_graph(struct gpu *gpu, void *context)
{
    const cudaGraphExec_t *graph = context;
    return cudaGraphLaunch(*graph, gpu->stream);
}

/* Takes samples of a run on a held stream, sorts them and returns their mean without the outer quarters. */
static cudaError_t sample(struct gpu *gpu, gpu_queue *queue, void *context, double samples_ns[SERIES_SAMPLES],
                          double *mean_ns)
{
    const struct gpu_timed timed = {
        .queue = queue, .context = context, .warm = true, .held = GPU_BATCH_MAX, .holdable = GPU_BATCH_MAX};
    const int64_t until_ns = clock_now_ns() + throttled_ns;
    struct measurement unused = measurement_unknown(STATUS_OK);
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < SERIES_SAMPLES && !result; i += GPU_BATCH_MAX)
        result = gpu_run_batch(gpu, &timed, GPU_BATCH_MAX, until_ns, samples_ns + i, &unused);
    if (result)
        return result;
    statistics_sort(samples_ns, SERIES_SAMPLES);
    *mean_ns = statistics_middle_mean(samples_ns, SERIES_SAMPLES);
    return cudaSuccess;
}

/* Returns the time of an empty kernel in a graph of several. */
static cudaError_t sample_graph(struct gpu *gpu, double *empty_ns)
{
    double samples_ns[SERIES_SAMPLES];
    cudaGraph_t graph = NULL;
    cudaGraphExec_t launches = NULL;
    cudaError_t result = cudaStreamBeginCapture(gpu->stream, cudaStreamCaptureModeThreadLocal);
    if (result)
        return result;
    for (size_t i = 0; i < GRAPH_LAUNCHES && !result; i++)
        result = queue_empty(gpu, NULL);
    cudaError_t ended = cudaStreamEndCapture(gpu->stream, &graph);
    if (!result)
        result = ended;
    if (!result)
        result = cudaGraphInstantiate(&launches, graph, 0);
    if (!result)
        result = sample(gpu, queue_graph, &launches, samples_ns, empty_ns);
    if (launches)
        cudaGraphExecDestroy(launches);
    if (graph)
        cudaGraphDestroy(graph);
    *empty_ns /= GRAPH_LAUNCHES;
    return result;
}

static double least_difference(const double samples_ns[SERIES_SAMPLES])
{
    double least_ns = NAN; /* fmin ignores NaN */
    for (size_t i = 1; i < SERIES_SAMPLES; i++)
        if (samples_ns[i] > samples_ns[i - 1])
            least_ns = fmin(least_ns, samples_ns[i] - samples_ns[i - 1]);
    return least_ns;
}

int gpu_calibrate_timer(struct gpu *gpu, struct error *error)
{
    double samples_ns[SERIES_SAMPLES], pair_ns = 0, empty_ns = 0;
    gpu->calibration.timer = event_timer_unknown;
    cudaError_t result = sample(gpu, queue_empty, NULL, samples_ns, &pair_ns);
    if (!result)
        result = sample_graph(gpu, &empty_ns);
    int code = gpu_check(result, "calibrating the timer", error);
    if (!code)
        gpu->calibration.timer = (struct event_timer){round(fmax(pair_ns - empty_ns, 0)), least_difference(samples_ns)};
    return code;
}

double gpu_timer_read(const struct event_timer *timer, float elapsed_ms)
{
    double elapsed_ns = round((double)elapsed_ms * 1e6); /* the resolution of CUDA's milliseconds in a float */
    if (isnan(timer->overhead_ns))
        return elapsed_ns;
    return fmax(elapsed_ns - timer->overhead_ns, gpu_timer_tick(timer));
}

double gpu_timer_tick(const struct event_timer *timer)
{
    return isnan(timer->tick_ns) ? 0 : timer->tick_ns;
}
