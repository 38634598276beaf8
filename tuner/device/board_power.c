#include "device/board_power.h"

#include <cuda_runtime_api.h>

#include "device/energy_window.h"
#include "device/gpu.h"
#include "device/measure.h"
#include "device/techniques.h"
#include "device/verify.h"

int64_t gpu_power_limit_ns(int64_t power_ns)
{
    return power_ns ? gpu_window_limit_ns(0, power_ns) : 0;
}

void gpu_measure_power(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    const struct gpu_timed timed = gpu_timed_kernel(gpu, kernel);
    const struct gpu_series series = {.queue = timed.queue,
                                      .context = timed.context,
                                      .run_ns = measurement->value,
                                      .queued = timed.settle ? 0 : gpu_launches_queued(kernel),
                                      .for_ns = gpu->sampling.power_ns};
    struct gpu_window window;
    if (!gpu->sampling.power_ns || gpu_counter_state(gpu) || kernel->shared_object || kernel->launch.until_count)
        return;
    cudaError_t result = gpu_enter(gpu, kernel);
    if (!result)
        result = gpu_run_window(gpu, &series, &window);
    cudaError_t left = gpu_leave(gpu, kernel);
    if (result || left)
        gpu_note_failure(gpu, result ? result : left, gpu_when_repeated, measurement);
    else
        measurement->power_w = window.watts;
}
