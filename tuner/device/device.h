/* One GPU, used through a child process, which alone has a CUDA context. When a kernel breaks the context or never
 * ends, the process is killed and a new one continues with the same buffers.
 *
 * Life: device_open, device_setup, then device_submit and device_next in turn, one job at a time. A caller with other
 * work uses device_start and device_begin_setup, and calls device_next until they are done. After device_renew, the
 * same process takes another set-up. */
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
#include "device/choice.h"
#include "space/space.h"

struct device;

/* Counts the CUDA devices in a child process. ERROR_NO_DEVICE without a driver or a device. */
int device_count(int *count, struct error *error);

/* Starts the process for a device, `name` as in struct device_choice, and waits for its limits. ERROR_NO_DEVICE with
 * the driver's message if there is no such device; ERROR_WORKER if the process dies. */
int device_open(struct device **device, const char *name, struct error *error);
/* The two halves of device_open. While the process starts, device_next returns the errors of device_await. `streams`:
 * the set-up will say so; if it does and device_start did not, a new process starts for it. */
int device_start(struct device **device, const char *name, bool streams, struct error *error);
int device_await(struct device *device, struct error *error);
bool device_answered(const struct device *device);
void device_close(struct device *device); /* may be NULL */

/* After the last job: an idle process ends, and its driver with it, and device_close, the only call that may follow,
 * does not wait for that. The next device_start does, because the process may hold memory until then. */
void device_leave(struct device *device);

/* Before another set-up of a device that may have had one: forgets that, the sets of expected results, and a job. The
 * process stays, with its context, and frees what it holds before it allocates anew; one that stays busy or is unusable
 * is ended, and another starts. The ceilings stay known. Nothing else of the earlier set-up has an effect on the next,
 * and a set-up that fails after another is tried again in a new process. Errors are those of device_start. */
int device_renew(struct device *device, struct error *error);

/* Once it has answered. */
const struct device_limits *device_limits(const struct device *device);

/* A configuration's compiled kernels (compile/) and how it launches them. Borrowed. */
struct device_kernel {
    const void *cubin;
    size_t cubin_bytes;
    const char *lowered_names; /* NUL-terminated strings one after the other, in the order of launch->kernels */
    size_t name_count;
    const struct launch *launch;
    double work;  /* of a run: a play-off compares times over work */
    uint32_t set; /* of expected results that it needs; 0: that of device_setup */
    /* Instead of kernels, a library: a shared object with the function `run` of the statement `library`. It is `cubin`,
     * or the file of this path if there is none, and has neither names nor a launch. NULL: kernels */
    const char *library;
    int64_t sizes[SPACE_PROBLEMS_MAX]; /* that `run` gets */
    size_t size_count;
};

enum { DEVICE_SAMPLES_MAX = 4096 };

/* How samples are taken, and when they suffice. */
struct sampling {
    bool warm;              /* the L2 keeps what the previous launch left; otherwise it is flushed before each sample */
    uint32_t samples;       /* most samples of a configuration, without the play-off, which has limits of its own;
                               more than statistics_samples_least(confidence), at most DEVICE_SAMPLES_MAX */
    double confidence;      /* of the median's interval, between 0 and 1, exclusive */
    double target_interval; /* half the interval over the median: once reached, sampling ends */
};

/* A file with the contents of a buffer, from an offset in bytes on. */
struct device_file {
    const char *path; /* NULL: none */
    uint64_t offset;
};

/* What gives a set of expected results, and judges outputs. */
struct device_expected {
    const char *reference_name;     /* begins messages: "the reference kernel" */
    struct device_kernel reference; /* without a cubin: none */
    struct device_kernel accept;    /* without a cubin: none */
};

struct device_setup {
    const struct space *space; /* bound; provides the buffers */
    struct sampling sampling;
    bool streams;                 /* runs may queue work in several streams */
    bool transfers;               /* runs copy over the host link, whose ceilings are measured then */
    struct device_expected first; /* set 0 */
    const struct device_file
        *expected;                     /* by buffer: expected results that the reference does not compute; NULL: none */
    const char *accept_name;           /* in the space file; NULL without `accept` */
    const struct device_kernel *fills; /* those that fill buffers, in the buffers' order; cubin NULL: the reference's */
    size_t fill_count;
    struct device_kernel helpers;      /* compiled device_kernels_source; name and launch are unused */
    const volatile sig_atomic_t *stop; /* 2 ends the wait with ERROR_INTERRUPTED; may be NULL */
    uint64_t seed;                     /* for random buffers */
};

/* CUDA source of kernels. The caller compiles it with all name expressions, because this layer has no NVRTC. */
struct device_source {
    const char *text;
    const char *names; /* name expressions: NUL-terminated strings one after the other */
    size_t name_count;
};

/* The kernels that fill, poison, compare and check buffers. */
extern const struct device_source device_kernels_source;

/* Allocates and fills the buffers, reads expected results, runs the reference, if there is one, twice over different
 * poison, keeps its outputs on the GPU, waits
 * until the clocks have settled, and measures the ceilings. Copies the set-up, so that restarted processes are set up
 * without the caller. Fails when buffers do not fit, or when the reference fails, produces NaN, leaves elements
 * unwritten, or gives two different results. */
int device_setup(struct device *device, const struct device_setup *setup, struct error *error);
/* Begins that, once the device answers. device_next returns the errors of device_setup until device_is_set_up. */
int device_begin_setup(struct device *device, const struct device_setup *setup, struct error *error);
bool device_is_set_up(const struct device *device);

/* Before device_setup: writes the contents that filled buffers have before each run, those of inout buffers included,
 * to FOLDER/NAME.npy. ERROR_IO if that fails. */
int device_write_inputs(struct device *device, const struct device_setup *setup, const char *folder,
                        struct error *error);

/* Tells how another set of expected results is computed: 0 < `set` < SPACE_SETS_MAX. Once for each set, before the
 * first job that needs it, when the process computes it. If that fails, so does the job: WRONG_RESULT with the reason,
 * or CRASHED. Copies all. */
int device_expect(struct device *device, uint32_t set, const struct device_expected *expected, struct error *error);
/* Was it told? */
bool device_expects(const struct device *device, uint32_t set);
/* The outcome of all jobs that need the set, because it cannot be computed; NULL: it can, or was not needed yet. */
const struct measurement *device_refusal(const struct device *device, uint32_t set);

/* The kernels that measure the roofline's ceilings. */
extern const struct device_source device_roofline_source;

/* Measures the ceilings of the roofline, which takes about 50 ms, on an idle device that is set up. `cubin`: compiled
 * device_roofline_source. If its process dies, a new one is set up, and the ceilings stay unknown. Errors of
 * device_next; ERROR_INTERRUPTED after a stop. */
int device_measure_roofline(struct device *device, const void *cubin, size_t bytes, const volatile sig_atomic_t *stop,
                            struct roofline *roofline, struct error *error);

/* The ceilings measured by device_setup. */
const struct ceilings *device_ceilings(const struct device *device);

enum { DEVICE_KERNELS_MAX = 65 }; /* in a play-off */

/* One configuration to verify and time, or the finalists of a play-off: verified again, then timed in turn, round by
 * round, so that drift affects all alike. The leader has the smallest median over the rounds. Another finalist is tied
 * with it if the interval of the median of their ratios per round contains 1. Both go by time per unit of work. */
struct device_job {
    uint64_t id;
    bool playoff;
    size_t kernel_count; /* 1 without a play-off, up to DEVICE_KERNELS_MAX in one */
    const struct device_kernel *kernels;
    double incumbent_ns; /* may stop early once it is certainly slower than this; infinity: never */
    int64_t timeout_ns;  /* for verifying and timing together; then the process is killed */
};

/* Submits a job and returns at once. The device must be idle. While a new process starts, the job waits. */
int device_submit(struct device *device, const struct device_job *job, struct error *error);
bool device_idle(const struct device *device);

/* Processes events without waiting. 1: the job *id has finished, with a measurement for each kernel (status OK, SLOWER,
 * LAUNCH_ERROR, PRUNED_LIMIT, WRONG_RESULT, CRASHED or TIMEOUT; time, samples, local bytes and measure_ns set; the
 * message of a library that is OK is its name, "" if it has none);
 * 0: nothing yet; -1: an error after which the device is unusable. A job whose process died or was stopped from outside
 * is tried once more before it counts as CRASHED. If one kernel breaks a play-off, the others have no time. */
int device_next(struct device *device, uint64_t *id, struct measurement measurements[DEVICE_KERNELS_MAX],
                struct error *error);

/* Ends the process of an idle device, which frees its device memory, while the caller does other things; a new one
 * starts with the next job. */
void device_rest(struct device *device);

/* The process, to pass to worker_wait. */
struct worker *device_worker(struct device *device);

#endif
