/* Computes occupancy from device limits with the toolkit's calculator (cuda_occupancy.h), also for devices that are not
 * in the machine. */
#ifndef CUTUNE_DEVICE_OCCUPANCY_H
#define CUTUNE_DEVICE_OCCUPANCY_H

#include <stdint.h>

#include "base/limits.h"

struct occupancy {
    int64_t blocks_sm; /* resident blocks per multiprocessor; 0: the kernel cannot be launched */
    double fraction;   /* resident warps / maximum of resident warps, 0 to 1 */
    int64_t blocks_registers, blocks_shared, blocks_warps, blocks_most; /* blocks_sm under each limit alone */
    const char *limit; /* limiting resource: "registers", "shared memory", "warps", "blocks", or "threads" for too many
                          per block */
};

/* threads: per block. registers: per thread. shared_static and shared_dynamic in bytes. */
struct occupancy occupancy_of(const struct device_limits *limits, int64_t threads, int64_t registers,
                              int64_t shared_static, int64_t shared_dynamic);

#endif
