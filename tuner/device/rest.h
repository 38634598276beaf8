/* Rests that keep a device out of the power cap. */
#ifndef CUTUNE_DEVICE_REST_H
#define CUTUNE_DEVICE_REST_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/measurement.h"

struct gpu;
struct gpu_timed;

enum {
    REST_PARTS = 20,          /* a rest takes as many times the work that follows at most */
    REST_LEAST_NS = 10000000, /* ... or this long, for short kernels */
    REST_NS = 200000000,      /* limit of any rest */
    REST_FAILED_MAX = 8,      /* failed rests in a row, after which the clock does not depend on the load */
    REST_BATCH_NS = 2000000   /* target time of a batch after a rest, to end before the cap returns */
};
/* True if batches are timed after a rest: the power cap was seen, rests take it away, and the state is burst. */
bool gpu_rests(const struct gpu *gpu);
/* If batches need a rest, waits until the clock is back: for REST_PARTS times `part_ns`, the work that follows, at
 * most, within REST_LEAST_NS and REST_NS, and not after `until_ns`. */
cudaError_t gpu_rest(struct gpu *gpu, int64_t part_ns, int64_t until_ns);
/* Runs a batch after a rest, which continues after the clock is back if earlier batches needed that. Discards and
 * repeats a batch that ran at the power cap nevertheless, while longer rests are possible. */
cudaError_t gpu_run_rested(struct gpu *gpu, const struct gpu_timed *timed, size_t batch, int64_t part_ns,
                           int64_t until_ns, double *samples_ns, struct measurement *measurement);
void gpu_pause(int64_t ns);

#endif
