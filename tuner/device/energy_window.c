/* NVML's counter of the board's energy advances about ten times a second. The power is its growth between two of these
 * advances over the time between them. The device always has queued runs, also while the host asks for the counter. */
#include "device/energy_window.h"

#include <cuda_runtime_api.h>
#include <math.h>

#include "base/clock.h"
#include "device/gpu.h"
#include "device/rest.h"

/* The time between two looks at the counter, which take up to a millisecond; of a batch of runs, so that one is left
 * while the host looks; the time to wait for an advance. */
static const int64_t look_ns = 1000000, batch_ns = 2000000, edges_ns = 1000000000, pause_least_ns = 1000;
enum { QUEUE_LAUNCHES = 384 }; /* of a batch; the device's queue has room for two */
/* Events: two of batches in turn; the end of the first batch, the end of the last. */
enum { EVENT_FIRST = 2, EVENT_LAST };

int64_t gpu_window_limit_ns(int64_t lead_ns, int64_t for_ns)
{
    return lead_ns + for_ns + edges_ns;
}

int64_t gpu_counter_state(const struct gpu *gpu)
{
    unsigned long long millijoules;
    if (!gpu->nvml.device)
        return GPU_COUNTER_NO_NVML;
    return gpu->nvml.energy ? (int64_t)gpu->nvml.energy(gpu->nvml.device, &millijoules) : GPU_COUNTER_NO_FUNCTION;
}

/* An advance of the counter. */
struct advance {
    int64_t ns; /* 0: none yet */
    unsigned long long millijoules;
};

struct advances {
    struct gpu_nvml *nvml;
    int64_t from_ns, for_ns, until_ns;
    struct advance first, last, seen;
    bool ended;
};

/* Looks at the counter if the last look is long enough ago. */
static void look(struct advances *advances)
{
    struct advance now = {0};
    if (advances->ended || (advances->seen.ns && clock_now_ns() - advances->seen.ns < look_ns))
        return;
    advances->ended = advances->nvml->energy(advances->nvml->device, &now.millijoules) != 0;
    now.ns = clock_now_ns();
    if (advances->seen.ns && now.millijoules != advances->seen.millijoules && now.ns >= advances->from_ns)
        *(advances->first.ns ? &advances->last : &advances->first) = now;
    advances->seen = now;
    advances->ended |= now.ns >= advances->until_ns ||
                       (advances->last.ns && advances->last.ns - advances->first.ns >= advances->for_ns);
}

static double watts_of(const struct advances *advances)
{
    if (!advances->last.ns || advances->last.ns - advances->first.ns < advances->for_ns)
        return NAN;
    return 1e6 * (double)(advances->last.millijoules - advances->first.millijoules) /
           (double)(advances->last.ns - advances->first.ns);
}

/* Returns the runs of a batch: one if a run waits for the device. */
static size_t runs_of(const struct gpu_series *series)
{
    size_t most = series->queued ? (size_t)(QUEUE_LAUNCHES / series->queued) : 1;
    size_t wanted = (size_t)((double)batch_ns / series->run_ns) + 1;
    return wanted < most ? wanted : most ? most : 1;
}

static cudaError_t queue_batch(struct gpu *gpu, const struct gpu_series *series, size_t runs, size_t event)
{
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < runs && !result; i++)
        result = series->queue(gpu, series->context);
    return result ? result : cudaEventRecord(gpu->events[event], gpu->stream);
}

/* Waits for a batch and looks at the counter meanwhile. */
static cudaError_t await(struct gpu *gpu, size_t event, int64_t pause_ns, struct advances *advances)
{
    cudaError_t result;
    while ((result = cudaEventQuery(gpu->events[event])) == cudaErrorNotReady) {
        look(advances);
        gpu_pause(pause_ns);
    }
    look(advances);
    return result;
}

static cudaError_t repeat(struct gpu *gpu, const struct gpu_series *series, struct advances *advances,
                          struct gpu_window *window)
{
    const size_t runs = runs_of(series);
    const int64_t part_ns = (int64_t)((double)runs * series->run_ns) / 4; /* so that short batches follow in time */
    const int64_t pause_ns = part_ns < pause_least_ns ? pause_least_ns : part_ns < look_ns ? part_ns : look_ns;
    cudaError_t result = queue_batch(gpu, series, runs, 0);
    float ms = 0;
    size_t batches = 1;
    if (!result)
        result = cudaEventRecord(gpu->events[EVENT_FIRST], gpu->stream);
    for (; !result && !advances->ended; batches++) {
        result = queue_batch(gpu, series, runs, batches % 2);
        if (!result)
            result = await(gpu, (batches - 1) % 2, pause_ns, advances);
    }
    if (!result)
        result = cudaEventRecord(gpu->events[EVENT_LAST], gpu->stream);
    if (!result)
        result = gpu_clock_queue(gpu);
    cudaError_t finished = cudaStreamSynchronize(gpu->stream);
    cudaGetLastError(); /* a batch that is not ready is not an error */
    result = result ? result : finished;
    if (!result)
        result = cudaEventElapsedTime(&ms, gpu->events[EVENT_FIRST], gpu->events[EVENT_LAST]);
    if (result)
        return result;
    window->runs = runs * (batches - 1);
    window->run_ns = 1e6 * (double)ms / (double)window->runs;
    window->condition = gpu_clock_read(gpu);
    return cudaSuccess;
}

cudaError_t gpu_run_window(struct gpu *gpu, const struct gpu_series *series, struct gpu_window *window)
{
    const int64_t now_ns = clock_now_ns();
    struct advances advances = {.nvml = &gpu->nvml,
                                .from_ns = now_ns + series->lead_ns,
                                .for_ns = series->for_ns,
                                .until_ns = now_ns + gpu_window_limit_ns(series->lead_ns, series->for_ns)};
    cudaError_t result = cudaSuccess;
    *window = (struct gpu_window){.watts = NAN, .run_ns = NAN, .condition = {.mhz = NAN, .reasons = -1, .celsius = -1}};
    if (series->queue)
        result = repeat(gpu, series, &advances, window);
    while (!series->queue && !advances.ended) {
        look(&advances);
        gpu_pause(look_ns);
    }
    window->watts = watts_of(&advances);
    return result;
}
