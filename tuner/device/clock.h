/* The multiprocessors' clock and the reasons for throttling. */
#ifndef CUTUNE_DEVICE_CLOCK_H
#define CUTUNE_DEVICE_CLOCK_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct gpu;

/* Optional, at the start of the process: initialises NVML in a thread while the driver starts. */
void gpu_begin_clock(struct gpu *gpu);
int gpu_open_clock(struct gpu *gpu, struct error *error);
/* Keeps the device busy until its clock and the time of a flush, gpu->flush_ns, are stable, for a second at most.
 * Raises gpu->calibration.settled_mhz to the clock found, and never lowers it: a process that starts on a throttled
 * device keeps the earlier value. */
int gpu_settle(struct gpu *gpu, struct error *error);
/* Queues a reading of the clock. gpu_clock_read returns it once the stream is synchronised. */
cudaError_t gpu_clock_queue(struct gpu *gpu);
struct gpu_condition {
    double mhz;      /* NaN: unknown */
    int64_t reasons; /* NVML's clock event reasons; -1: unknown */
    int64_t celsius; /* temperature of the device; -1: unknown */
    bool throttled;  /* samples taken meanwhile are discarded */
};
struct gpu_condition gpu_clock_read(struct gpu *gpu);
/* True if readings of a settled device differ by a hundredth at most. */
bool gpu_agree(const double *readings, size_t count);
/* Part of the settled clock above which a cap has no effect. */
#define GPU_CLOCK_RETURNED 0.98
/* True if the clock is below the settled one because of the power cap. NVML reports the cap late, and reports some
 * without an effect on the clock. A low clock without another reason therefore counts, too, unless rests do not bring
 * it back. */
bool gpu_at_cap(const struct gpu *gpu, const struct gpu_condition *condition);
/* Notes if a batch ran at the power cap. */
void gpu_note_power(struct gpu *gpu, const struct gpu_condition *condition);

#endif
