/* One GPU, used through a process of its own. Only that process has a CUDA context: when a kernel breaks the context or
 * never ends, the process is killed and a new one takes its place with the same buffers, and the caller goes on.
 *
 * Life: device_open, device_setup once, then device_submit and device_next in turn, one job at a time. */
#ifndef CUTUNE_DEVICE_DEVICE_H
#define CUTUNE_DEVICE_DEVICE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/measurement.h"
#include "base/worker.h"
#include "space/space.h"

struct device;

/* How many CUDA devices there are; asked of a process of its own. No driver or no device is ERROR_NO_DEVICE. */
int device_count(int *count, struct error *error);

/* Starts the process for device `ordinal` and waits for its limits. ERROR_NO_DEVICE, with what the driver says, when
 * there is none; ERROR_WORKER when the process dies. */
int device_open(struct device **device, int ordinal, struct error *error);
void device_close(struct device *device); /* NULL is fine */

const struct device_limits *device_limits(const struct device *device);

/* A kernel as compile/ delivers it, and its launch. Borrowed. */
struct device_kernel {
    const void *cubin;
    size_t cubin_bytes;
    const char *lowered_name;
    const struct launch *launch;
};

enum { DEVICE_SAMPLES_MAX = 4096 };

/* How times are taken, and when there are enough of them. */
struct sampling {
    bool warm;              /* the L2 is left as the launch before left it; else it is flushed before each sample */
    uint32_t samples;       /* at most so many of a configuration before the play-off, which has its own measure;
                               more than statistics_samples_least(confidence), at most DEVICE_SAMPLES_MAX */
    double confidence;      /* of the median's interval, above 0 and below 1 */
    double target_interval; /* half of the interval over the median: no more samples than this needs */
};

struct device_setup {
    const struct space *space; /* bound: buffers and tolerance */
    struct sampling sampling;
    struct device_kernel reference;
    struct device_kernel helpers;      /* device_kernels_source compiled; name and launch are not used */
    const volatile sig_atomic_t *stop; /* 2 ends the waiting, ERROR_INTERRUPTED; NULL: nobody asks */
    uint64_t seed;                     /* of random buffers */
};

/* CUDA source of the kernels that fill, poison, compare and check buffers on the GPU. The caller compiles it (this
 * layer has no NVRTC) with the name expression device_kernels_entry. */
extern const char *const device_kernels_source;
extern const char *const device_kernels_entry;

/* Allocates and fills the buffers, runs the reference twice over different poison, keeps its outputs on the GPU, waits
 * until the clocks have settled, and measures the ceilings. Everything is copied: a restarted process is set up by
 * itself. Errors: buffers that do not fit, a reference that fails, gives NaN, leaves elements unwritten or gives two
 * different answers. */
int device_setup(struct device *device, const struct device_setup *setup, struct error *error);

/* What was measured in device_setup. */
const struct ceilings *device_ceilings(const struct device *device);

enum { DEVICE_KERNELS_MAX = 65 }; /* of a play-off */

/* One configuration to verify and time or, for a play-off, several: verified again and timed in turn, round by round,
 * so that what drifts drifts for all of them. The leader has the smallest median over the rounds; another one is tied
 * with it when the interval of the median of their ratios, round by round, holds 1. */
struct device_job {
    uint64_t id;
    bool playoff;
    size_t kernel_count; /* 1 without a play-off, at most DEVICE_KERNELS_MAX with one */
    const struct device_kernel *kernels;
    double incumbent_ns; /* may be stopped early when it is certainly slower than this; infinity: never */
    int64_t timeout_ns;  /* for verifying and timing together; then the process is killed */
};

/* Hands over one job; the device must be idle. Returns at once; while a new process starts, the job waits for
 * it. */
int device_submit(struct device *device, const struct device_job *job, struct error *error);
bool device_idle(const struct device *device);

/* A job whose process died, or was stopped from outside, is tried once more in a new one before it counts as CRASHED.
 * Takes what has happened, without waiting: 1 and the measurements of job *id, one for each of its kernels (status OK,
 * SLOWER, LAUNCH_ERROR, WRONG_RESULT, CRASHED or TIMEOUT; time, samples, registers, shared and local bytes and
 * measure_ns set), 0 when there is nothing yet, -1 and an error when the device cannot be used any more. A play-off
 * that one of its kernels breaks has the others' measurements without a time. */
int device_next(struct device *device, uint64_t *id, struct measurement measurements[DEVICE_KERNELS_MAX],
                struct error *error);

/* The process, for worker_wait. */
struct worker *device_worker(struct device *device);

#endif
