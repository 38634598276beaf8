/* Turns failed CUDA calls into errors and statuses. */
#include "device/check.h"

#include <stdarg.h>
#include <stdio.h>

#include "device/gpu.h"

int gpu_check(cudaError_t result, const char *what, struct error *error)
{
    if (result == cudaSuccess)
        return 0;
    return error_set(error, ERROR_DEVICE, "%s: %s (%s)", what, cudaGetErrorString(result), cudaGetErrorName(result));
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
