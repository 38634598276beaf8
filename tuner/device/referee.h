/* The referee: a device process that computes expected results of other inputs, and compares results of another process
 * with them. */
#ifndef CUTUNE_DEVICE_REFEREE_H
#define CUTUNE_DEVICE_REFEREE_H

#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"

struct gpu;
struct gpu_kernel;

/* Fills the buffers from the seed, computes the expected results of the kernel's set, receives the buffers of the
 * process that ran the kernel, and judges them. Then it erases both. `kernel` is not loaded. */
int gpu_referee(struct gpu *gpu, uint64_t seed, struct gpu_kernel *kernel, struct measurement *measurement,
                struct error *error);

/* gpu_expect of a set that becomes known, so that a fault of its reference is known, too. Fills buffers that a job has
 * erased, and erases them with the results again: those of a job have its own inputs. */
int gpu_referee_expect(struct gpu *gpu, uint32_t set, struct error *error);

#endif
