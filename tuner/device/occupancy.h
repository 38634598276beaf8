/* Occupancy by the toolkit's own calculator (cuda_occupancy.h), from limits alone: it works for a device that is not in
 * the machine. */
#ifndef CUTUNE_DEVICE_OCCUPANCY_H
#define CUTUNE_DEVICE_OCCUPANCY_H

#include <stdint.h>

#include "base/limits.h"

struct occupancy {
    int64_t blocks_sm; /* resident blocks of a multiprocessor; 0: the kernel cannot be launched */
    double fraction;   /* resident warps / most resident warps, 0..1 */
    const char *limit; /* what holds it there, in words: "registers", "shared memory", "warps",
                           "blocks", "threads" (more than a block may have) */
};

/* threads: of a block. shared_static and shared_dynamic in bytes. */
struct occupancy occupancy_of(const struct device_limits *limits, int64_t threads, int64_t registers,
                              int64_t shared_static, int64_t shared_dynamic);

#endif
