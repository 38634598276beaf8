/* The times of runs. */
#ifndef CUTUNE_DEVICE_MEASURE_H
#define CUTUNE_DEVICE_MEASURE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/measurement.h"
#include "base/power.h"

struct gpu;
struct gpu_kernel;

typedef cudaError_t gpu_queue(struct gpu *gpu, void *context);
/* The work to time. Each run: restore, flush of the L2 unless `warm`, settle; then, timed, queue. */
struct gpu_timed {
    gpu_queue *renew;   /* prepares new data, before anything is queued, for each single run; else NULL */
    gpu_queue *restore; /* queues the restoring of a run's initial data; may be NULL */
    gpu_queue *settle;  /* waits until the data is where a run expects it; may be NULL */
    gpu_queue *queue;   /* queues one run on gpu->stream */
    void *context;
    bool warm;       /* the L2 is not flushed, and the first run of a batch is not timed */
    size_t held;     /* runs queued while the stream is held; 0: it is not held */
    size_t holdable; /* largest `held` that is possible; 0: the stream cannot be held */
    int64_t run_ns;  /* approximate duration of a run; 0: unknown */
};
/* Returns the work of a kernel between gpu_enter and gpu_leave. */
struct gpu_timed gpu_timed_kernel(const struct gpu *gpu, struct gpu_kernel *kernel);
/* Explains in the measurement if a run has too many launches to queue before the first one starts. */
void gpu_note_unheld(const struct gpu *gpu, const struct gpu_kernel *kernel, struct measurement *measurement);
/* Times `batch` runs, at most GPU_BATCH_MAX, and records clock and throttling in `measurement`. Discards the batch of a
 * throttled device and repeats it after a pause, unless the device stays throttled or `until_ns` (on clock_now_ns())
 * has passed. If the host queued a batch so slowly that the device may have waited, repeats it with the stream held. */
cudaError_t gpu_run_batch(struct gpu *gpu, const struct gpu_timed *timed, size_t batch, int64_t until_ns,
                          double *samples_ns, struct measurement *measurement);

/* A time to beat, and the power state in which it was measured. */
struct gpu_incumbent {
    double ns; /* infinity: none */
    enum power_state state;
};
extern const struct gpu_incumbent gpu_no_incumbent;
/* Times runs until one of stop_rules.def ends the series. Sets time, interval, samples and status, OK or SLOWER, of
 * `measurement`. `timeout_ns`: total time, even if there are too few samples. Samples at the power cap are taken again
 * after rests, unless they show that the kernel is slower in the incumbent's state, too. */
cudaError_t gpu_sample(struct gpu *gpu, const struct gpu_timed *timed, struct gpu_incumbent incumbent,
                       int64_t timeout_ns, struct measurement *measurement);
/* Times a verified kernel likewise; a failure becomes its status. */
void gpu_measure(struct gpu *gpu, struct gpu_kernel *kernel, struct gpu_incumbent incumbent, int64_t timeout_ns,
                 struct measurement *measurement);
/* `when` of gpu_note_failure for a verified kernel while it is timed. */
extern const char gpu_when_repeated[];

#endif
