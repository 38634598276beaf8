#include "device/timer.h"

#include <math.h>

#include "base/clock.h"
#include "base/statistics.h"
#include "device/check.h"
#include "device/gpu.h"
#include "device/measure.h"

enum { SERIES_SAMPLES = 16 * GPU_BATCH_MAX, SHORT_GRAPH = 20, LONG_GRAPH = 40 };
static const int64_t throttled_ns = 500000000; /* limit of the wait for a device that is throttled */

cudaError_t gpu_queue_shortest(struct gpu *gpu)
{
    void *word = gpu->verdicts; /* cleared before each use */
    void *arguments[] = {&word};
    cudaLaunchConfig_t config = {.gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}, .stream = gpu->stream};
    return cudaLaunchKernelExC(&config, (const void *)gpu->helpers[HELPER_STORE], arguments);
}

static cudaError_t queue_shortest(struct gpu *gpu, void *context)
{
    (void)context;
    return gpu_queue_shortest(gpu);
}

static cudaError_t queue_graph(struct gpu *gpu, void *context)
{
    const cudaGraphExec_t *graph = context;
    return cudaGraphLaunch(*graph, gpu->stream);
}

/* Takes samples of a run, sorts them and returns their mean without the outer quarters. */
static cudaError_t sample(struct gpu *gpu, gpu_queue *queue, void *context, bool warm,
                          double samples_ns[SERIES_SAMPLES], double *mean_ns)
{
    const struct gpu_timed timed = {
        .queue = queue, .context = context, .warm = warm, .held = warm ? GPU_BATCH_MAX : 0, .holdable = GPU_BATCH_MAX};
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

/* Returns the time of a graph of so many shortest kernels. */
static cudaError_t sample_graph(struct gpu *gpu, size_t launches, double *graph_ns)
{
    double samples_ns[SERIES_SAMPLES];
    cudaGraph_t graph = NULL;
    cudaGraphExec_t executable = NULL;
    cudaError_t result = cudaStreamBeginCapture(gpu->stream, cudaStreamCaptureModeThreadLocal);
    if (result)
        return result;
    for (size_t i = 0; i < launches && !result; i++)
        result = gpu_queue_shortest(gpu);
    cudaError_t ended = cudaStreamEndCapture(gpu->stream, &graph);
    if (!result)
        result = ended;
    if (!result)
        result = cudaGraphInstantiate(&executable, graph, 0);
    if (!result)
        result = sample(gpu, queue_graph, &executable, true, samples_ns, graph_ns);
    if (executable)
        cudaGraphExecDestroy(executable);
    if (graph)
        cudaGraphDestroy(graph);
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
    struct gpu_calibration *calibration = &gpu->calibration;
    const bool warm = gpu->sampling.warm;
    double samples_ns[SERIES_SAMPLES], pair_ns = 0, short_ns = 0, long_ns = 0;
    struct gpu_timer *own = &gpu->timers[warm];
    calibration->timer = own->known ? own->timer : event_timer_unknown;
    if (own->known)
        return 0;
    cudaError_t result = sample(gpu, queue_shortest, NULL, warm, samples_ns, &pair_ns);
    if (!result)
        result = sample_graph(gpu, SHORT_GRAPH, &short_ns);
    if (!result)
        result = sample_graph(gpu, LONG_GRAPH, &long_ns);
    int code = gpu_check(result, "calibrating the timer", error);
    if (code)
        return code;
    const double own_ns = (long_ns - short_ns) / (LONG_GRAPH - SHORT_GRAPH);
    calibration->timer = (struct event_timer){round(fmax(pair_ns - own_ns, 0)), least_difference(samples_ns)};
    *own = (struct gpu_timer){true, calibration->timer};
    return 0;
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
