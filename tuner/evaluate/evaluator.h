/* An evaluator turns configurations into measurements: on a GPU, from a journal, or from a formula. It does not know
 * the strategy. A new backend is one file, eval_NAME.c, and a row in evaluators.def. Evaluation is asynchronous: submit
 * several, wait for any. */
#ifndef CUTUNE_EVALUATE_EVALUATOR_H
#define CUTUNE_EVALUATE_EVALUATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/channel.h"
#include "base/energy.h"
#include "base/error.h"
#include "base/evidence.h"
#include "base/limits.h"
#include "base/measurement.h"
#include "journal/outcomes.h"

/* No device in particular, or no device at all. */
#define EVALUATOR_ANY_DEVICE SIZE_MAX

/* Time for which a play-off measures, for each configuration: several rounds of kernels of up to some milliseconds. */
enum { EVALUATOR_PLAYOFF_NS = 250000000 };

/* How far a configuration in flight has come. */
enum evaluation_stage {
    STAGE_WAITING,   /* its compilation has not begun */
    STAGE_UNMEASURED /* its measurement has not begun */
};

struct evaluation {
    uint64_t index;
    bool withdrawn;    /* it has no outcome: only `index` is defined */
    size_t device;     /* number of the device that measured it; EVALUATOR_ANY_DEVICE: none did */
    uint64_t original; /* configuration with the same code, whose outcome it takes: its index, or its key if it is
                          outside the set (evaluate/rows.h); OUTCOME_NO_DUPLICATE: none */
    struct measurement measurement;
    const char *log; /* the compiler's log of a failed compilation, borrowed until the next call; NULL: none */
};

/* Use of processes and devices. The measuring phase extends from the first to the last measurement of the search,
 * without the play-off. The processes report their times. */
struct evaluator_usage {
    size_t compilers;
    uint64_t compiled;        /* compilations, including those from the cache */
    int64_t compile_ns;       /* total process time of the compilations */
    int64_t compile_wall_ns;  /* from the start of the first compilation to the end of the last */
    int64_t phase_ns;         /* length of the measuring phase */
    int64_t phase_measure_ns; /* time within the phase for loading, verifying or timing kernels, summed over the device
                                 processes */
    int64_t phase_compile_ns; /* compile time within the phase, summed over the processes */
};

/* Evidence about the launches of a configuration. Borrowed until the receiving function returns. */
struct evaluator_evidence {
    uint64_t index;
    const struct evidence *launches; /* of each launch statement, in order */
    size_t launch_count;             /* 0: no evidence */
    const char *no_counters; /* reason and advice if there are no counters, in one line; "": there are counters */
};
typedef int evaluator_take_evidence(void *context, const struct evaluator_evidence *evidence, struct error *error);

/* The winner and a library, measured in turn and verified. They have values only if the status of both is OK. The
 * message of an OK library is its name, or "". Energies are those of a run, or of a unit of the space's work; without
 * rounds: not asked for, or without a number. */
struct evaluator_library {
    bool energy; /* given: measure energies, too */
    struct measurement library, winner;
    struct energy library_energy, winner_energy;
};

/* Configurations whose energy is measured in turn. */
struct evaluator_energy {
    const uint64_t *indices;
    size_t count; /* at most ENERGY_CANDIDATES_MAX; 0: only asks if the energy can be measured */
    /* By configuration: without rounds, it has no number, and the measurement says why. Times of a run. */
    struct measurement *measurements;
    struct energy *energies;
    const char *missing; /* why the device's energy cannot be measured; NULL: it can, or it was not asked so far */
};
enum { ENERGY_CANDIDATES_MAX = 64 };

struct evaluator_ops {
    size_t state_size; /* allocated zeroed by evaluator_open, freed by evaluator_close */
    int (*open)(void *state, const void *setup, struct error *error);
    /* Returns the number of useful submissions: enough to keep the bottleneck busy for a strategy that learns at once
     * (struct strategy_ops), or to fill the queue for others. */
    size_t (*room)(void *state, bool learns_at_once);
    /* Returns the number of devices, which are numbered from 0. */
    size_t (*devices)(const void *state);
    /* `exact`: never stop early. `device`: the device that must measure it, even if a duplicate's outcome is known. */
    int (*submit)(void *state, uint64_t index, bool exact, size_t device, struct error *error);
    /* Waits until an evaluation ends, `until_ns` (on clock_now_ns()) passes or a signal arrives. Writes up to `room`
     * finished evaluations, even with an error. Returns 0, or an error after which the evaluator can only be closed. */
    int (*wait)(void *state, int64_t until_ns, struct evaluation *done, size_t room, size_t *count,
                struct error *error);
    /* Withdraws the configurations in flight that are no further than the stage: their compilations are cancelled, and
     * `wait` returns each with `withdrawn` set. Until the next `submit`, nothing begins for the evaluator itself. */
    int (*withdraw)(void *state, enum evaluation_stage stage, struct error *error);
    /* Announces when, on `now`, STAGE_UNMEASURED will be withdrawn; INT64_MAX: never. A simulated clock stops there. */
    void (*limit)(void *state, int64_t at_ns);
    /* Writes up to `room` descriptors, which become readable when `wait` has work, and returns their number; 0: `wait`
     * never waits. */
    size_t (*watch)(void *state, int *descriptors, size_t room);
    /* Returns the time, in seconds, for so many seconds of compiling and measuring in total. NaN: unknown. */
    double (*busy_s)(const void *state, double compile_s, double measure_s);
    bool stops_early; /* configurations that are certainly worse than the incumbent are stopped early */
    /* Passes the best value so far, in the time of one device or of all. */
    void (*incumbent)(void *state, size_t device, double value);
    /* Excludes a device from further measurements. One must remain. */
    void (*leave_out)(void *state, size_t device);
    /* True if the device is gone for ever, so that others do its measurements. */
    bool (*lost)(const void *state, size_t device);
    /* Returns the current time for budgets in seconds, in ns from an arbitrary start. */
    int64_t (*now)(void *state);
    /* Measures feasible configurations again, all together, while nothing else is in flight; at most FINALISTS_MAX + 2.
     * The outcomes have `playoff` set, and `processes` if a device measured them. An OK outcome without a time means
     * that another configuration broke the play-off. Sets *played to false without a result: the play-off was
     * abandoned, or the device was lost. */
    int (*playoff)(void *state, const uint64_t *indices, size_t count, struct measurement *finals, bool *played,
                   struct error *error);
    void (*usage)(const void *state, struct evaluator_usage *usage); /* all 0: no processes */
    void (*close)(void *state);
    const struct evaluator_device_ops *device; /* NULL: evaluates without a device */
};

/* Operations that need a device. */
struct evaluator_device_ops {
    /* Measures the space's `library` and a feasible configuration together, in a process of its own, while nothing else
     * is in flight. Faults of the library are not errors. */
    int (*library)(void *state, uint64_t index, struct evaluator_library *measured, struct error *error);
    /* Measures the energy of feasible configurations on the first device (device/energy.h), while nothing else is in
     * flight. Starts processes, even to find that the energy cannot be measured, which is no error. */
    int (*energy)(void *state, struct evaluator_energy *asked, struct error *error);
    /* Returns the ceilings of the devices and the timer of the first one. May start processes. */
    int (*ceilings)(void *state, struct ceilings *ceilings, struct event_timer *timer, struct error *error);
    /* Collects evidence about feasible configurations, one after the other, while nothing else is in flight, and passes
     * each to `take`, whose errors it returns. Stops before a configuration that would end after `until_ns` (on
     * clock_now_ns(); INT64_MAX: no limit) if it took as long as the longest so far, and after a stop. A missing,
     * forbidden or failing profiler is not an error: the evidence then has no counters. */
    int (*evidence)(void *state, const uint64_t *indices, size_t count, int64_t until_ns, evaluator_take_evidence *take,
                    void *context, struct error *error);
};

/* Operations of an evaluator with one device, which is never lost, in real time. It never waits, stops nothing early,
 * has no processes, does not know how long work takes, and ends everything that was submitted. */
size_t evaluator_one_device(const void *state);
size_t evaluator_watch_nothing(void *state, int *descriptors, size_t room);
double evaluator_busy_unknown(const void *state, double compile_s, double measure_s);
void evaluator_ignore_incumbent(void *state, size_t device, double value);
int evaluator_withdraw_nothing(void *state, enum evaluation_stage stage, struct error *error);
void evaluator_ignore_limit(void *state, int64_t at_ns);
void evaluator_ignore_leave_out(void *state, size_t device);
bool evaluator_lose_none(const void *state, size_t device);
int64_t evaluator_real_time(void *state);
void evaluator_no_usage(const void *state, struct evaluator_usage *usage);

struct evaluator {
    const struct evaluator_ops *ops;
    void *state;
};

/* Called by each evaluator's own function evaluator_open_NAME in eval_NAME.h. `setup`: its struct NAME_setup, borrowed
 * with all objects that it points to; must outlive the evaluator. */
int evaluator_open(struct evaluator *evaluator, const struct evaluator_ops *ops, const void *setup,
                   struct error *error);
/* Closes the evaluator; a zeroed one needs nothing. */
void evaluator_close(struct evaluator *evaluator);

/* Waits until the evaluator, if configurations are in flight, or a channel has work, `until_ns` (on clock_now_ns())
 * passes or a signal arrives; at most a tenth of a second. */
void evaluator_await(const struct evaluator *evaluator, bool in_flight, struct channel *const *channels, size_t count,
                     int64_t until_ns);

#endif
