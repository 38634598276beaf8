/* Limits that follow from a compute capability, for devices of which nothing else is known. */
#ifndef CUTUNE_BASE_ARCHITECTURE_H
#define CUTUNE_BASE_ARCHITECTURE_H

#include <stddef.h>
#include <stdint.h>

#include "base/limits.h"

#define LIMIT_UNKNOWN ((int64_t)-1)

/* The known compute capabilities in ascending order, major * 10 + minor. */
extern const int architectures[];
extern const size_t architecture_count;

/* Returns a limit of all devices with this compute capability or, if it is unknown (0), of all known ones.
 * LIMIT_UNKNOWN if devices differ, or for an unknown limit of this compute capability. */
int64_t architecture_limit(const struct limit_row *limit, int64_t cc);

/* Returns the least value over all known compute capabilities. LIMIT_UNKNOWN for `cc` itself, and if devices of one
 * capability differ. */
int64_t architecture_least(const struct limit_row *limit);

/* Returns the operations per second that no kernel exceeds on the device, whatever its numbers are: the highest rate of
 * its tensor cores at its highest clock. NaN: unknown. */
double architecture_peak(const struct device_limits *device);

#endif
