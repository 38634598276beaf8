/* The hardware's counters of launches. */
#ifndef CUTUNE_DEVICE_COUNT_H
#define CUTUNE_DEVICE_COUNT_H

#include "base/error.h"
#include "base/evidence.h"

struct gpu;
struct gpu_kernel;

/* Counts each launch statement; `evidence` has room for all. Only the first of repeated launches is counted. A graph's
 * launches run one by one. The launches of a pipeline overlap and are not counted; its stages are timed instead, and
 * gpu->cupti may be NULL. An error leaves the context or the profiler in an unknown state. */
int gpu_count(struct gpu *gpu, struct gpu_kernel *kernel, struct evidence *evidence, struct error *error);

#endif
