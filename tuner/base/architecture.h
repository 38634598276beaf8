/* The limits that follow from a compute capability, for devices of which nothing else is known. */
#ifndef CUTUNE_BASE_ARCHITECTURE_H
#define CUTUNE_BASE_ARCHITECTURE_H

#include <stddef.h>
#include <stdint.h>

#include "base/limits.h"

#define LIMIT_UNKNOWN ((int64_t)-1)

/* The known compute capabilities in ascending order, major * 10 + minor. */
extern const int architectures[];
extern const size_t architecture_count;

/* A limit of all devices with this compute capability; of one that is not known (0), what all the known ones have in
 * common. LIMIT_UNKNOWN: devices differ, or there is no such table. */
int64_t architecture_limit(const struct limit_row *limit, int64_t cc);

/* What all known compute capabilities have of it at least. LIMIT_UNKNOWN: devices of one differ, and for `cc` itself.
 */
int64_t architecture_least(const struct limit_row *limit);

#endif
