/* The limits of a device, queried from the device or read from a journal's header or a file. Expressions, pruning,
 * occupancy and the database use only this struct, so all work for devices that are not in the machine. */
#ifndef CUTUNE_BASE_LIMITS_H
#define CUTUNE_BASE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

#include "base/pack.h"

struct device_limits {
    char name[256];  /* "NVIDIA H200" */
    char uuid[48];   /* identifies the GPU, "GPU-00000000-0000-0000-0000-000000000000"; "": unknown */
    char driver[32]; /* version of the NVIDIA driver, "580.159.04"; "unknown" if it cannot be read */
    int64_t cuda;    /* newest CUDA version that the driver supports: 13000 is 13.0 */
#define LIMIT(name, attribute, least, description) int64_t name;
#include "base/limits.def"
#undef LIMIT
};

extern const struct pack_table device_limits_table;

struct limit_row {
    const char *name, *description;
    int64_t least; /* of every device: 0 or 1 */
    size_t offset; /* of the int64_t in struct device_limits */
};

extern const struct limit_row limit_rows[];
extern const size_t limit_count;

int64_t limit_get(const struct device_limits *limits, const struct limit_row *row);
void limit_put(struct device_limits *limits, const struct limit_row *row, int64_t value);
/* Returns the row of that name, or NULL. */
const struct limit_row *limit_find(const char *name);

/* Throughput measured on the device, in bytes/s; NaN: unknown. */
struct ceilings {
    double copy;                         /* read + written by a large copy in device memory */
    double link_to_device, link_to_host; /* large copies from and to pinned host memory */
    double link_both;                    /* both directions at once, summed */
};
extern const struct pack_table ceilings_table;

/* How the device times a run with a pair of events, ns; NaN: unknown. */
struct event_timer {
    double overhead_ns; /* that the pair adds to the time of a kernel; subtracted from each sample */
    double tick_ns;     /* resolution: times that differ by less cannot be told apart */
};
extern const struct event_timer event_timer_unknown;
extern const struct pack_table event_timer_table;

/* Throughput ceilings of the multiprocessors, measured on the device; NaN: unknown. */
struct roofline {
    double l2;     /* bytes/s read from L2 */
    double shared; /* bytes/s read from shared memory without bank conflicts; L1 has the same data path */
    double issue;  /* instructions per warp/s: FP32 and integer ones in turn */
    double fma;    /* FP32 operations/s; a fused multiply-add is two */
    double tensor; /* operations/s of bf16 matrix instructions with FP32 accumulation */
};
extern const struct roofline roofline_unknown;
extern const struct pack_table roofline_table;

#endif
