/* Reads the hardware's counters through CUPTI's range profiler. CUPTI is loaded at run time and may be missing, as may
 * the permission to count. Belongs into a process that never measures times, because counting changes them. */
#ifndef CUTUNE_DEVICE_CUPTI_H
#define CUTUNE_DEVICE_CUPTI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/evidence.h"
#include "base/text.h"

struct cupti;

/* Appends the file of CUPTI, which stays loaded. ERROR_NOT_FOUND without CUPTI. */
int cupti_locate(struct text *path, struct error *error);

/* Loads CUPTI and prepares the counters of counters.def in the current context, which must be that of `device`.
 * ERROR_NOT_FOUND without CUPTI, ERROR_DEVICE if the counters cannot be read; both with a hint. */
int cupti_open(struct cupti **cupti, int device, struct error *error);
void cupti_close(struct cupti *cupti); /* accepts NULL */

/* Returns the number of passes that collect all counters. */
size_t cupti_passes(const struct cupti *cupti);

/* Begins to count `launches` launches one by one. The caller repeats the same launches between cupti_start and
 * cupti_stop until *more is false, and restores their inputs before each pass. */
int cupti_begin(struct cupti *cupti, size_t launches, struct error *error);
int cupti_start(struct cupti *cupti, struct error *error);
/* Call after the launches have ended. */
int cupti_stop(struct cupti *cupti, bool *more, struct error *error);
/* Call after the last pass. Returns the counters of each launch. ERROR_DEVICE if their number is not `launches`. */
int cupti_read(struct cupti *cupti, size_t launches, struct evidence *evidence, struct error *error);

#endif
