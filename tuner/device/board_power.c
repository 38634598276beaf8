/* NVML's counter of the board's energy advances about ten times a second. The power is its growth between two of these
 * advances over the time between them. The device always has queued runs, also while the host asks for the counter. */
#include "device/board_power.h"

#include <cuda_runtime_api.h>

#include "base/clock.h"
#include "device/gpu.h"
#include "device/measure.h"
#include "device/techniques.h"
#include "device/verify.h"

/* The time between two looks at the counter, which take up to a millisecond; the time to wait for its advances. */
static const int64_t look_ns = 5000000, edges_ns = 1000000000;
enum { QUEUE_LAUNCHES = 384 }; /* of a batch; the device's queue has room for two */

int64_t gpu_power_limit_ns(int64_t power_ns)
{
    return power_ns ? power_ns + edges_ns : 0;
}

/* An advance of the counter. */
struct advance {
    int64_t ns; /* 0: none yet */
    unsigned long long millijoules;
};

struct advances {
    struct advance first, last, seen;
};

/* Looks at the counter if the last look is long enough ago. False without the counter. */
static bool look(struct gpu_nvml *nvml, struct advances *advances)
{
    struct advance now = {0};
    if (advances->seen.ns && clock_now_ns() - advances->seen.ns < look_ns)
        return true;
    if (nvml->energy(nvml->device, &now.millijoules))
        return false;
    now.ns = clock_now_ns();
    if (advances->seen.ns && now.millijoules != advances->seen.millijoules)
        *(advances->first.ns ? &advances->last : &advances->first) = now;
    advances->seen = now;
    return true;
}

/* Returns the runs of a batch: one if a run waits for the device. */
static size_t runs_of(const struct gpu_kernel *kernel, double run_ns)
{
    uint64_t launches = kernel->launch.graph ? 1 : space_launch_count(&kernel->launch);
    size_t most = gpu_way_of(&kernel->launch) ? 1 : (size_t)(QUEUE_LAUNCHES / (launches ? launches : 1));
    size_t wanted = (size_t)((double)look_ns / run_ns) + 1;
    return wanted < most ? wanted : most ? most : 1;
}

static cudaError_t queue_batch(struct gpu *gpu, const struct gpu_timed *timed, size_t runs, size_t number)
{
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < runs && !result; i++)
        result = timed->queue(gpu, timed->context);
    return result ? result : cudaEventRecord(gpu->events[number % 2], gpu->stream);
}

/* Keeps two batches in the queue until the counter has advanced over the time, or no longer advances. */
static cudaError_t repeat(struct gpu *gpu, const struct gpu_timed *timed, size_t runs, struct advances *advances)
{
    const int64_t power_ns = gpu->sampling.power_ns, until_ns = clock_now_ns() + gpu_power_limit_ns(power_ns);
    cudaError_t result = queue_batch(gpu, timed, runs, 0);
    for (size_t i = 0; !result && clock_now_ns() < until_ns; i++) {
        result = queue_batch(gpu, timed, runs, i + 1);
        if (!look(&gpu->nvml, advances) || (advances->last.ns && advances->last.ns - advances->first.ns >= power_ns))
            break;
        if (!result)
            result = cudaEventSynchronize(gpu->events[i % 2]);
    }
    cudaError_t finished = cudaStreamSynchronize(gpu->stream);
    return result ? result : finished;
}

void gpu_measure_power(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    const struct gpu_timed timed = gpu_timed_kernel(gpu, kernel);
    struct advances advances = {0};
    if (!gpu->sampling.power_ns || !gpu->nvml.device || !gpu->nvml.energy || kernel->shared_object ||
        kernel->launch.until_count)
        return;
    cudaError_t result = gpu_enter(gpu, kernel);
    if (!result)
        result = repeat(gpu, &timed, runs_of(kernel, measurement->value), &advances);
    cudaError_t left = gpu_leave(gpu, kernel);
    if (result || left)
        gpu_note_failure(gpu, result ? result : left, gpu_when_repeated, measurement);
    else if (advances.last.ns)
        measurement->power_w = 1e6 * (double)(advances.last.millijoules - advances.first.millijoules) /
                               (double)(advances.last.ns - advances.first.ns);
}
