#include "base/architecture.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

const int architectures[] = {
#define ARCHITECTURE(cc, ...) cc,
#include "base/architectures.def"
#undef ARCHITECTURE
};
const size_t architecture_count = sizeof architectures / sizeof *architectures;

/* Equal on all architectures; limits that the device files lack are 0. */
#define COMMON                                                                                                         \
    .warp = 32, .max_threads = 1024, .max_block_x = 1024, .max_block_y = 1024, .max_block_z = 64,                      \
    .max_grid_x = 2147483647, .max_grid_y = 65535, .max_grid_z = 65535, .shared_default = 49152,                       \
    .registers_block = 65536, .registers_sm = 65536, .constant_bytes = 65536, .host_mapped = 1, .cooperative = 1,      \
    .host_registered = 1, .managed_memory = 1, .managed_concurrent = 1, .memory_pools = 1, .texture_width_2d = 131072, \
    .texture_height_2d = 65000

/* Products of one architecture differ in these. */
#define PRODUCT                                                                                                        \
    .sm_count = LIMIT_UNKNOWN, .l2_bytes = LIMIT_UNKNOWN, .memory_bytes = LIMIT_UNKNOWN,                               \
    .memory_clock_khz = LIMIT_UNKNOWN, .memory_bus_bits = LIMIT_UNKNOWN, .sm_clock_khz = LIMIT_UNKNOWN,                \
    .copy_engines = LIMIT_UNKNOWN

static const struct device_limits rows[] = {
#define ARCHITECTURE(of, threads, blocks, shared_kib, block_kib, reserved, window, clusters, operations)               \
    {COMMON,                                                                                                           \
     PRODUCT,                                                                                                          \
     .cc = of,                                                                                                         \
     .max_threads_sm = threads,                                                                                        \
     .max_blocks_sm = blocks,                                                                                          \
     .shared_sm = shared_kib * 1024,                                                                                   \
     .shared_limit = block_kib * 1024,                                                                                 \
     .shared_reserved = reserved,                                                                                      \
     .l2_window_bytes = window,                                                                                        \
     .l2_persisting_bytes = (window) ? LIMIT_UNKNOWN : 0,                                                              \
     .cluster_launch = clusters},
#include "base/architectures.def"
#undef ARCHITECTURE
};

static const int clock_operations[] = {
#define ARCHITECTURE(of, threads, blocks, shared_kib, block_kib, reserved, window, clusters, operations) operations,
#include "base/architectures.def"
#undef ARCHITECTURE
};

double architecture_peak(const struct device_limits *device)
{
    for (size_t i = 0; i < architecture_count && device->sm_clock_khz > 0; i++)
        if (architectures[i] == device->cc)
            return clock_operations[i] * (double)device->sm_count * (double)device->sm_clock_khz * 1e3;
    return NAN;
}

int64_t architecture_limit(const struct limit_row *limit, int64_t cc)
{
    const int64_t first = limit_get(&rows[0], limit);
    bool same = true;
    for (size_t i = 0; i < architecture_count; i++) {
        if (architectures[i] == cc)
            return limit_get(&rows[i], limit);
        same &= limit_get(&rows[i], limit) == first;
    }
    return same ? first : LIMIT_UNKNOWN;
}

int64_t architecture_least(const struct limit_row *limit)
{
    int64_t least = limit_get(&rows[0], limit);
    for (size_t i = 1; i < architecture_count; i++)
        least = limit_get(&rows[i], limit) < least ? limit_get(&rows[i], limit) : least;
    return strcmp(limit->name, "cc") == 0 ? LIMIT_UNKNOWN : least;
}
