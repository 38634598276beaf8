/* The energy of kernels' runs, in rounds in which they take turns. */
#ifndef CUTUNE_DEVICE_ENERGY_H
#define CUTUNE_DEVICE_ENERGY_H

#include <stddef.h>
#include <stdint.h>

#include "base/energy.h"
#include "base/error.h"
#include "base/measurement.h"

struct gpu;
struct gpu_kernel;

/* Measures the energy and the time of the runs of verified kernels. All play ENERGY_ROUNDS_LEAST rounds. Those that no
 * other dominates (energy_dominates) play on, until their values are precise or the rounds are over. A cold run uses a
 * copy of the buffers whose data is not in the L2; nothing is flushed. Then verifies all again. A kernel without a
 * number has the reason in its measurement, whose status stays OK unless the kernel fails. Call only with a counter
 * (gpu_counter_state). */
int gpu_measure_energies(struct gpu *gpu, struct gpu_kernel *kernels, struct measurement *measurements,
                         struct energy *energies, size_t count, struct error *error);

/* Most time that measuring so many kernels takes, besides verifying them. */
int64_t gpu_energy_limit_ns(size_t count);

#endif
