/* The timing of a run by a pair of events on the device.
 *
 * The pair adds some microseconds to a kernel's time: those from the first event to the kernel's start, and from its
 * end to the second event. They do not depend on the kernel, so they are measured once with an empty one and subtracted
 * from each sample. */
#ifndef CUTUNE_DEVICE_TIMER_H
#define CUTUNE_DEVICE_TIMER_H

#include "device/gpu.h"

/* Calibrates gpu->calibration.timer on an idle device with a settled clock, which takes about a millisecond. The
 * overhead is the time of an empty kernel less that of one in a graph of 20, which a pair of events encloses, too. The
 * tick is the least difference between two samples; NaN if all are equal. */
int gpu_calibrate_timer(struct gpu *gpu, struct error *error);

/* The time of a run, in ns, from the elapsed time of its events. A run takes at least a tick. */
double gpu_timer_read(const struct event_timer *timer, float elapsed_ms);

/* The tick; 0: unknown. */
double gpu_timer_tick(const struct event_timer *timer);

#endif
