/* A library instead of kernels. */
#ifndef CUTUNE_DEVICE_LIBRARY_H
#define CUTUNE_DEVICE_LIBRARY_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "base/measurement.h"

struct device_kernel;
struct gpu;
struct gpu_kernel;

/* Takes the library from the message, if it has one. A process has one library. */
void gpu_shared_take(struct gpu_kernel *kernel, const struct device_kernel *said);
/* Loads the library until the process ends. False: it cannot be loaded or lacks `run`; the measurement has the
 * reason. */
bool gpu_shared_load(struct gpu_kernel *kernel, struct measurement *measurement);
/* Queues a run. cudaErrorUnknown: `run` returned its own error, gpu_shared_error. */
cudaError_t gpu_shared_run(struct gpu *gpu, struct gpu_kernel *kernel);
/* Returns the last result of `run`; 0: no error, or no library. */
int gpu_shared_error(void);
/* Returns the result of the library's `version`, or "". */
const char *gpu_shared_name(void);
/* most launches of a library's run that are queued at once */
enum { GPU_LIBRARY_LAUNCHES = 16 };

#endif
