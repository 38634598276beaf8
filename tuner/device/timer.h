/* The timing of a run by a pair of events on the device.
 *
 * The pair adds some microseconds to a kernel's time: those from the first event to the kernel's start, and from its
 * end to the second event. They hardly depend on the kernel, but on the process, so each process measures them with the
 * shortest kernel and subtracts them from its samples. */
#ifndef CUTUNE_DEVICE_TIMER_H
#define CUTUNE_DEVICE_TIMER_H

#include <cuda_runtime_api.h>

#include "base/error.h"
#include "base/limits.h"

struct gpu;

/* Calibrates gpu->calibration.timer on an idle device with a settled clock; takes a few milliseconds, once in a process
 * for each cache of gpu->sampling, cold or warm. The overhead is the time of a pair of events around a kernel
 * that stores a word, less the time that a graph takes for each further such kernel. The tick is the least difference
 * between two samples; NaN if all are equal. */
int gpu_calibrate_timer(struct gpu *gpu, struct error *error);

/* The time of a run, in ns, from the elapsed time of its events. A run takes at least a tick. */
double gpu_timer_read(const struct event_timer *timer, float elapsed_ms);

/* The tick; 0: unknown. */
double gpu_timer_tick(const struct event_timer *timer);

/* Queues the shortest kernel. */
cudaError_t gpu_queue_shortest(struct gpu *gpu);

#endif
