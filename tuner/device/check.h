/* Checks of CUDA calls. */
#ifndef CUTUNE_DEVICE_CHECK_H
#define CUTUNE_DEVICE_CHECK_H

#include <cuda_runtime_api.h>

#include "base/error.h"
#include "base/measurement.h"

struct gpu;
struct gpu_kernel;

/* Checks a CUDA call that must succeed. ERROR_DEVICE with the attempted action and CUDA's own message. */
int gpu_check(cudaError_t result, const char *what, struct error *error);
/* Finds out why device memory ran out. ERROR_BUSY if the kernel would fit the device alone: another process holds the
 * memory. */
int gpu_check_memory(struct gpu *gpu, const struct gpu_kernel *kernel, const struct measurement *measurement,
                     struct error *error);
/* Records a failed call in gpu->refusal, and as STATUS_LAUNCH_ERROR with the formatted text and CUDA's own message. */
void gpu_refuse(struct gpu *gpu, cudaError_t result, struct measurement *measurement, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
