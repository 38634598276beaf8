/* A second clock for guarded measuring: the device's global timer, read by kernels before and after a run. */
#ifndef CUTUNE_DEVICE_STAMPS_H
#define CUTUNE_DEVICE_STAMPS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

struct gpu;

/* How many samples have a longer time by the global timer than by the events, beyond the time of launches. */
struct gpu_stamps {
    size_t samples, longer;
};

/* Queues the reading of the timer: 0: before a run, 1: after it. */
cudaError_t gpu_queue_stamp(struct gpu *gpu, size_t number);
/* Compares the last run's time by events with the stamps. Call after all queued work has ended. */
cudaError_t gpu_check_stamps(struct gpu *gpu, double events_ns);
/* True if most samples were longer, so that the median of the events' times cannot be right. */
bool gpu_stamps_doubt(const struct gpu_stamps *stamps);

#endif
