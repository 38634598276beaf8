/* Counts the launches of configurations with the hardware's counters, or times the stages of pipelines. Uses a process
 * of its own for the device, which is set up like the one that measures; its times decide no comparison of
 * configurations. Synchronous: nothing else may be in flight. */
#ifndef CUTUNE_DEVICE_PROFILE_H
#define CUTUNE_DEVICE_PROFILE_H

#include <signal.h>
#include <stdint.h>

#include "base/error.h"
#include "base/evidence.h"
#include "device/device.h"

struct profiler;

/* For an idle device that is set up; its own process rests from the first count on (device_rest). Starts no process
 * yet. `device` and `stop`, which may be NULL, are borrowed; a stop of 2 ends the wait. */
int profiler_open(struct profiler **profiler, struct device *device, const volatile sig_atomic_t *stop,
                  struct error *error);
void profiler_close(struct profiler *profiler); /* accepts NULL */

/* Stores the counters, or the times of the stages, of each launch statement of the kernel in `launches`, which has room
 * for all. Errors have a hint: ERROR_NOT_FOUND without CUPTI, ERROR_DEVICE if the counters cannot be read or the
 * launches fail, ERROR_WORKER if the process dies or exceeds `timeout_ns`, ERROR_INTERRUPTED. An error concerns this
 * kernel alone, or all later ones, which then fail at once with the same error. A kernel whose process dies is tried
 * again; two such kernels in a row end all counting. */
int profiler_count(struct profiler *profiler, const struct device_kernel *kernel, int64_t timeout_ns,
                   struct evidence *launches, struct error *error);

#endif
