/* Counts with the hardware's counters, by CUPTI's range profiler, which is loaded at run time: it and the device's
 * permission to count may be missing. For a process of its own that never times, because counting changes times. */
#ifndef CUTUNE_DEVICE_CUPTI_H
#define CUTUNE_DEVICE_CUPTI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/evidence.h"

struct cupti;

/* Loads CUPTI and prepares the counters of counters.def in the current context, which is of that device.
 * ERROR_NOT_FOUND without CUPTI, ERROR_DEVICE if the counters cannot be read; both with a hint of what to do. */
int cupti_open(struct cupti **cupti, int device, struct error *error);
void cupti_close(struct cupti *cupti); /* accepts NULL */

/* How often launches must run until everything is counted. */
size_t cupti_passes(const struct cupti *cupti);

/* Begins to count `launches` launches one by one. They must run equally between cupti_start and cupti_stop, again and
 * again until *more is false; the caller restores what they read before each pass. */
int cupti_begin(struct cupti *cupti, size_t launches, struct error *error);
int cupti_start(struct cupti *cupti, struct error *error);
/* After the launches have ended. */
int cupti_stop(struct cupti *cupti, bool *more, struct error *error);
/* Once nothing more is to run: the counters of each launch. ERROR_DEVICE if their number is not `launches`. */
int cupti_read(struct cupti *cupti, size_t launches, struct evidence *evidence, struct error *error);

#endif
