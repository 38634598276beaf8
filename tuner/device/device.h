/* One GPU, used through a child process, which alone has a CUDA context. When a kernel breaks the context or never
 * ends, the process is killed and a new one continues with the same buffers.
 *
 * Life cycle: device_open, device_setup, then device_submit and device_next in turn, one job at a time. A caller with
 * other work uses device_start and device_begin_setup, and calls device_next until both are done. After device_renew,
 * the same process takes another set-up. */
#ifndef CUTUNE_DEVICE_DEVICE_H
#define CUTUNE_DEVICE_DEVICE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/energy.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/measurement.h"
#include "base/power.h"
#include "base/series.h"
#include "base/worker.h"
#include "device/choice.h"
#include "space/space.h"

struct device;

/* Counts the CUDA devices in a child process of its own. ERROR_NO_DEVICE without a driver or a device. */
int device_count(int *count, struct error *error);

/* Starts the process for a device and waits for its limits. `name`: as in struct device_choice. ERROR_NO_DEVICE with
 * the driver's message if the device does not exist; ERROR_WORKER if the process dies. */
int device_open(struct device **device, const char *name, struct error *error);
/* The two halves of device_open. While the process starts, device_next returns the errors of device_await. `streams`:
 * the expected setting of the set-up; if only the set-up has it, the process is replaced. */
int device_start(struct device **device, const char *name, bool streams, struct error *error);
int device_await(struct device *device, struct error *error);
bool device_answered(const struct device *device);
void device_close(struct device *device); /* may be NULL */

/* Call after the last job. An idle process and its driver end, and device_close, the only call that may follow, does
 * not wait for them. The next device_start waits, because the process may hold memory until then. */
void device_leave(struct device *device);

/* Prepares for another set-up: discards the earlier one, its sets of expected results, and a job. The process stays,
 * keeps its context, and frees its memory before it allocates again; a busy or unusable process is replaced. The
 * ceilings stay known. Nothing else of the earlier set-up affects the next, and a set-up that fails after another is
 * retried in a new process. Errors: those of device_start. */
int device_renew(struct device *device, struct error *error);

/* Call once the device has answered. */
const struct device_limits *device_limits(const struct device *device);

/* A configuration's compiled kernels (compile/) and its launches. All pointers are borrowed. */
struct device_kernel {
    const void *cubin;
    size_t cubin_bytes;
    const char *lowered_names; /* NUL-terminated strings one after the other, in the order of launch->kernels */
    size_t name_count;
    const struct launch *launch;
    double work;             /* of a run; a play-off compares times per unit of work */
    uint32_t set;            /* number of its set of expected results; 0: that of device_setup */
    const char *environment; /* of the accept command: NUL-terminated strings NAME=VALUE; NULL: none */
    size_t environment_count;
    /* Device variables that the kernels may write, NUL-terminated strings. Guarded measuring compares their contents
     * before and after the launches. NULL: none */
    const char *variables;
    size_t variable_count;
    uint64_t results_checksum; /* measurement.results_checksum of an earlier play-off; 0: none */
    /* A library instead of kernels: a shared object with the function `run` of the statement `library`. The object is
     * `cubin`, or the file of this path if `cubin` is NULL. It has neither names nor a launch. NULL: kernels */
    const char *library;
    int64_t sizes[SPACE_PROBLEMS_MAX]; /* arguments of the library's `run` */
    size_t size_count;
};

/* How a kernel is measured that nobody trusts: see docs/guarded-measuring.md. All zero: as any other.
 *
 * Each launch, timed or not, has new inputs, at other places in memory. The coordinator draws by lot which launches are
 * compared, after they have ended, in another process: the referee. A guarded device takes no play-offs, and measures
 * no power. */
struct guarding {
    bool on;
    bool shared;             /* one process measures all kernels and is wiped between them; else each has a new one */
    uint32_t compared_least; /* launches from the first on that are all compared. One after timing is, too */
    double share;            /* probability of each other launch to be compared, 0 to 1 */
};
/* Guarding as it is by default, with a process for each kernel. */
extern const struct guarding device_guarding;

/* How many samples are taken, and under which conditions. */
struct sampling {
    bool warm;              /* the L2 keeps the previous launch's data; else each sample starts with a flushed L2 */
    uint32_t samples;       /* most samples of a configuration, except in a play-off, which has its own limits; more
                               than statistics_samples_least(confidence), at most SERIES_SAMPLES_MAX */
    double confidence;      /* of the median's interval, between 0 and 1, exclusive */
    bool sustained;         /* play-offs run at the clock of a device under load, at the power cap if it has one; else
                               after rests, so that no cap lowers the clock */
    double target_interval; /* half the interval over the median; sampling ends once it is reached */
    bool kept;              /* device_samples returns the samples */
    int64_t power_ns;       /* for which a kernel that was timed to the end is repeated to measure the board's power,
                               besides the job's time limit; 0: it is not, nor in a play-off */
    bool special; /* in half of all seeds, random floating-point inputs without bounds have special values: zeros,
                     infinities, NaN, subnormal or large numbers. Then NaN is right where the reference has it */
    struct guarding guarding;
};

/* A file with the contents of a buffer, which begin at an offset in bytes. */
struct device_file {
    const char *path; /* NULL: none */
    uint64_t offset;
};

/* The sources of a set of expected results: its reference, and the accept kernel that judges outputs. */
struct device_expected {
    const char *reference_name;     /* begins messages: "the reference kernel" */
    struct device_kernel reference; /* without a cubin: none */
    struct device_kernel accept;    /* without a cubin: none */
};

struct device_setup {
    const struct space *space; /* bound; provides the buffers */
    struct sampling sampling;
    bool streams;                       /* runs may queue work in several streams */
    bool transfers;                     /* runs copy over the host link, so its ceilings are measured */
    struct device_expected first;       /* set 0 */
    const struct device_file *expected; /* by buffer: files of expected results, instead of the reference's; NULL: no
                                           files */
    const char *accept_name;            /* in the space file; NULL without an accept kernel */
    const char *accept_command;         /* for sh, instead of the accept kernel; NULL: none */
    const char *accept_folder;          /* its working folder */
    const struct device_kernel *fills;  /* the kernels that fill buffers, in the buffers' order; cubin NULL: the
                                           reference's cubin */
    size_t fill_count;
    struct device_kernel helpers;      /* compiled device_kernels_source; without name and launch */
    const volatile sig_atomic_t *stop; /* 2 ends the wait with ERROR_INTERRUPTED; may be NULL */
    uint64_t seed;                     /* for random buffers */
};

/* CUDA source of kernels. The caller compiles it for all name expressions, because this layer has no NVRTC. */
struct device_source {
    const char *text;
    const char *names; /* name expressions: NUL-terminated strings one after the other */
    size_t name_count;
};

/* The kernels that fill, poison, compare and check buffers. */
extern const struct device_source device_kernels_source;

/* Measures the ceilings, allocates and fills the buffers, reads expected results, runs the reference, if any, twice
 * over different poison, and keeps its outputs on the GPU. Then waits until the clocks have settled, and calibrates the
 * timer. Copies the set-up, so that restarted processes need no caller. Fails if buffers do not fit, or if the
 * reference fails, produces NaN, leaves elements unwritten, or gives two different results. */
int device_setup(struct device *device, const struct device_setup *setup, struct error *error);
/* Begins a set-up, which runs once the device answers. device_next returns the errors of device_setup until
 * device_is_set_up. */
int device_begin_setup(struct device *device, const struct device_setup *setup, struct error *error);
bool device_is_set_up(const struct device *device);
/* True if each launch of a guarded device has new inputs: random numbers fill a buffer, and no expected results are in
 * files. If not, a kernel may replay earlier outputs unseen. */
bool device_renews_inputs(const struct device *device);

/* Call before device_setup. Writes the initial contents of all filled buffers, inout buffers included, to
 * FOLDER/NAME.npy. ERROR_IO if that fails. */
int device_write_inputs(struct device *device, const struct device_setup *setup, const char *folder,
                        struct error *error);

/* Defines another set of expected results, 0 < `set` < SPACE_SETS_MAX. Call once for each set, before the first job
 * that needs it; the process computes it with that job. If that fails, so does the job: WRONG_RESULT with the reason,
 * or CRASHED. Copies `expected`. */
int device_expect(struct device *device, uint32_t set, const struct device_expected *expected, struct error *error);
/* True if the set is defined. */
bool device_expects(const struct device *device, uint32_t set);
/* Returns the outcome of all jobs that need the set if it cannot be computed; NULL: it can, or no job has needed it. */
const struct measurement *device_refusal(const struct device *device, uint32_t set);

/* The kernels that measure the roofline's ceilings. */
extern const struct device_source device_roofline_source;

/* Measures the ceilings of the roofline, which takes about 50 ms, on an idle device that is set up. `cubin`: compiled
 * device_roofline_source. If the process dies, a new one is set up, and the ceilings stay unknown. Errors of
 * device_next; ERROR_INTERRUPTED after a stop. */
int device_measure_roofline(struct device *device, const void *cubin, size_t bytes, const volatile sig_atomic_t *stop,
                            struct roofline *roofline, struct error *error);

/* The ceilings measured by device_setup. */
const struct ceilings *device_ceilings(const struct device *device);

/* The timer calibrated by device_setup. */
const struct event_timer *device_timer(const struct device *device);

enum { DEVICE_KERNELS_MAX = 66 }; /* in a play-off */

/* One configuration to verify and time, or the finalists of a play-off. Finalists are verified again and timed in turn,
 * round by round, so that drift affects all alike. The leader has the smallest median over the rounds. Another finalist
 * is tied with it if the interval of the median of their ratios per round contains 1 and its times do not vary
 * measurably more (device/steadiness.h). All compare time per unit of work.
 *
 * A process that starts for a job whose kernels all have the checksum of their results leaves the expected results
 * uncomputed: equal checksums verify. If one differs, another process computes them and does the job. */
struct device_job {
    uint64_t id;
    bool playoff;
    bool further;        /* of a play-off: another process has played already, and only the medians are wanted, of few
                            rounds: FURTHER_ROUNDS and FURTHER_NS of stop_rules.def */
    bool energy;         /* measures the energy of the kernels instead, by device/energy.h; `playoff` is false */
    size_t kernel_count; /* 1 without a play-off or energy, up to DEVICE_KERNELS_MAX in one */
    const struct device_kernel *kernels;
    double incumbent_ns;              /* stops early once the kernel is certainly slower than this; infinity: never */
    enum power_state incumbent_state; /* of the measurement with the time to beat */
    bool capped;                      /* the power cap has lowered the device's clock in an earlier job */
    int64_t timeout_ns;               /* for verifying and timing together; afterwards the process is killed */
};

/* Submits a job and returns at once. The device must be idle. The job waits while a new process starts. */
int device_submit(struct device *device, const struct device_job *job, struct error *error);
bool device_idle(const struct device *device);

/* Processes events without waiting. Returns 1 when the job *id has finished, 0 if nothing has, and -1 after an error
 * that makes the device unusable. A finished job has a measurement for each kernel: status (OK, SLOWER, LAUNCH_ERROR,
 * PRUNED_LIMIT, WRONG_RESULT, CRASHED or TIMEOUT), time, samples, local bytes and measure_ns. The message of an OK
 * library is its name, or "". A job whose process died or was stopped from outside is tried again before it is CRASHED.
 * If one kernel breaks a play-off, the others have no time. */
int device_next(struct device *device, uint64_t *id, struct measurement measurements[DEVICE_KERNELS_MAX],
                struct error *error);

/* With struct sampling's `kept`: the samples of the last finished job, as samples_text.h has them, valid until the next
 * one is submitted; "" for a play-off, and for a kernel without a time. */
const char *device_samples(const struct device *device);
/* The energies of the last job that measured them, by kernel; without rounds for a kernel without a number, whose
 * measurement says why. Valid until the next such job. */
const struct energy *device_energies(const struct device *device);
/* Why the energy of the device's board cannot be measured: ends "the energy counter of DEVICE cannot be used: "; NULL:
 * it can. Call once the device is set up. */
const char *device_counter_missing(const struct device *device);

/* Ends the process of an idle device, which frees device memory for other work; the next job starts a new process. */
void device_rest(struct device *device);

/* From the next process on, the buffers lie at other places in memory, which depend on the seed; 0: where the driver
 * puts them. The places to which a play-off moves them depend on it, too. */
void device_displace(struct device *device, uint64_t seed);

/* Returns the process, for worker_wait. */
struct worker *device_worker(struct device *device);

#endif
