/* The verification of kernels after timing. */
#ifndef CUTUNE_DEVICE_VERIFY_TIMED_H
#define CUTUNE_DEVICE_VERIFY_TIMED_H

#include <stddef.h>

#include "base/error.h"
#include "base/measurement.h"

struct gpu;
struct gpu_kernel;

/* Verifies kernels that were timed together, in the state in which they were timed: nothing is reloaded. Runs each OK
 * kernel again over poisoned outputs and restored inout buffers, and compares; for a SLOWER one, compares the results
 * of its last run. A kernel that is wrong or fails gets its status and the reason. If several were timed and memory
 * outside the buffers was written, all are CRASHED, because any of them may have done it. */
int gpu_verify_timed(struct gpu *gpu, struct gpu_kernel *kernels, struct measurement *measurements, size_t count,
                     struct error *error);

/* Begins the message of a kernel that was right on the first launch and wrong on a later one. */
extern const char gpu_wrong_later[];

#endif
