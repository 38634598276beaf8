/* The play-off between finalists. */
#ifndef CUTUNE_DEVICE_PLAYOFF_H
#define CUTUNE_DEVICE_PLAYOFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"

struct gpu;
struct gpu_kernel;

/* Times the OK kernels in turn, verifies them again, and sets time, interval, samples and `playoff` of each. `further`:
 * as in struct device_job. A kernel that fails during timing gets its status, and the others get no times; one that is
 * wrong afterwards drops out. If `timeout_ns` ends first, the complete rounds are used; too few of them for an interval
 * give the range as interval, with a message. Errors of gpu_verify_timed. */
int gpu_play_off(struct gpu *gpu, struct gpu_kernel *kernels, struct measurement *measurements, size_t count,
                 bool further, int64_t timeout_ns, struct error *error);

#endif
