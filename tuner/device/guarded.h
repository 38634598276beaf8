/* Guarded measuring in the process that runs the candidate: docs/guarded-measuring.md. */
#ifndef CUTUNE_DEVICE_GUARDED_H
#define CUTUNE_DEVICE_GUARDED_H

#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"
#include "device/measure.h"

struct gpu;
struct gpu_kernel;

/* Verifies and times a loaded kernel, whose every launch the coordinator permits. It loads the kernel anew between
 * both. The measurement has no verdict about results: the coordinator adds it. Arguments as those of gpu_measure. */
int gpu_guard(struct gpu *gpu, struct gpu_kernel *kernel, struct gpu_incumbent incumbent, int64_t timeout_ns,
              struct measurement *measurement, struct error *error);

/* Removes what a kernel may have left for the next one in this process. Call after it is unloaded. */
int gpu_wipe(struct gpu *gpu, struct error *error);

#endif
