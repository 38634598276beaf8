/* Counts the launches of configurations with the hardware's counters, or times the stages of pipelines, in a process of
 * its own for a device, which is set up like the one that measures; no time of it decides which configuration is
 * faster. Synchronous: nothing else is in flight then. */
#ifndef CUTUNE_DEVICE_PROFILE_H
#define CUTUNE_DEVICE_PROFILE_H

#include <signal.h>
#include <stdint.h>

#include "base/error.h"
#include "base/evidence.h"
#include "device/device.h"

struct profiler;

/* For a device that is set up and idle, whose own process rests from the first count on (device_rest). Starts nothing.
 * `device` and `stop`, which may be NULL, are borrowed: a stop of 2 ends the wait. */
int profiler_open(struct profiler **profiler, struct device *device, const volatile sig_atomic_t *stop,
                  struct error *error);
void profiler_close(struct profiler *profiler); /* accepts NULL */

/* Stores the counters, or the times of the stages, of each launch statement of the kernel in `launches`, which has room
 * for all. An error says why there are none, with a hint of what to do, and concerns only this kernel, or all later
 * ones, which then fail at once with the same error: ERROR_NOT_FOUND without CUPTI, ERROR_DEVICE if the counters cannot
 * be read or the launches fail, ERROR_WORKER if the process dies or is not finished after `timeout_ns`,
 * ERROR_INTERRUPTED. A kernel whose process dies is tried once more; two such kernels in a row end all counting. */
int profiler_count(struct profiler *profiler, const struct device_kernel *kernel, int64_t timeout_ns,
                   struct evidence *launches, struct error *error);

#endif
