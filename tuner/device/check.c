/* Turns failed CUDA calls into errors and statuses. */
#include "device/check.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "device/gpu.h"
#include "device/techniques.h"

int gpu_check(cudaError_t result, const char *what, struct error *error)
{
    if (result == cudaSuccess)
        return 0;
    return error_set(error, ERROR_DEVICE, "%s: %s (%s)", what, cudaGetErrorString(result), cudaGetErrorName(result));
}

/* A kernel needs the buffers, and local memory for every resident thread. A technique with its own way to run may
 * allocate more, and is then itself the cause. */
int gpu_check_memory(struct gpu *gpu, const struct gpu_kernel *kernel, const struct measurement *measurement,
                     struct error *error)
{
    const struct device_limits *limits = &gpu->limits;
    size_t free_bytes = 0, total_bytes = 0;
    char have[32];
    if (measurement->status != STATUS_LAUNCH_ERROR || gpu->refusal != cudaErrorMemoryAllocation ||
        gpu_way_of(&kernel->launch))
        return 0;
    double local = measurement->local_bytes > 0 ? (double)measurement->local_bytes : 0;
    double own = (double)gpu->held_bytes + local * (double)limits->sm_count * (double)limits->max_threads_sm;
    if (cudaMemGetInfo(&free_bytes, &total_bytes) || own > 0.9 * (double)total_bytes)
        return 0;
    int code = error_set(error, ERROR_BUSY, "the device is out of memory: other processes hold most of it, %s are free",
                         format_bytes(have, sizeof have, (double)free_bytes));
    error_hint(error, "end them or wait for them; all measurements are saved, and the same command resumes");
    return code;
}

void gpu_refuse(struct gpu *gpu, cudaError_t result, struct measurement *measurement, const char *format, ...)
{
    char what[sizeof measurement->message];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(what, sizeof what, format, arguments);
    va_end(arguments);
    cudaGetLastError();
    gpu->refusal = result;
    measurement->status = STATUS_LAUNCH_ERROR;
    measurement_explain(measurement, "%s: %s", what, cudaGetErrorString(result));
}
