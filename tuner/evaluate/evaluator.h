/* An evaluator turns configurations into measurements: on a GPU, from a journal, or from a formula. It never sees the
 * strategy: a new backend is one file, eval_NAME.c, and a row in evaluators.def. Evaluation is asynchronous: submit
 * several, wait for any. */
#ifndef CUTUNE_EVALUATE_EVALUATOR_H
#define CUTUNE_EVALUATE_EVALUATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/channel.h"
#include "base/error.h"
#include "base/evidence.h"
#include "base/limits.h"
#include "base/measurement.h"
#include "journal/outcomes.h"

/* No device in particular, or no device at all. */
#define EVALUATOR_ANY_DEVICE SIZE_MAX

struct evaluation {
    uint64_t index;
    size_t device;     /* the number of the device that measured it; EVALUATOR_ANY_DEVICE: none did */
    uint64_t original; /* whose outcome it takes, since it has the same code: its index, or its key if it is outside the
                          set (evaluate/rows.h); OUTCOME_NO_DUPLICATE: none */
    struct measurement measurement;
    const char
        *log; /* the compiler's log if the configuration did not compile; borrowed until the next call. NULL: none */
};

/* How busy processes and device were. The measuring phase extends from the first to the last measurement of the search,
 * without the play-off. Process times are as reported by the processes. */
struct evaluator_usage {
    size_t compilers;
    uint64_t compiled;        /* compilations, including those from the cache */
    int64_t compile_ns;       /* their total process time */
    int64_t compile_wall_ns;  /* from the start of the first to the end of the last */
    int64_t phase_ns;         /* length of the measuring phase */
    int64_t phase_measure_ns; /* part of it spent loading, verifying or timing kernels, summed over the device
                                 processes */
    int64_t phase_compile_ns; /* compile time within the phase, summed over the processes */
};

/* What is known about the launches of a configuration. Borrowed until the function that gets it returns. */
struct evaluator_evidence {
    uint64_t index;
    const struct evidence *launches; /* of each launch statement, in order */
    size_t launch_count;             /* 0: nothing is known */
    const char *no_counters; /* why nothing is measured, and what to do, in one line; "": there are measurements */
};
typedef int evaluator_take_evidence(void *context, const struct evaluator_evidence *evidence, struct error *error);

/* The winner and a library in turn, each verified. The status of either may be any; only if both are OK have they
 * values. The message of a library that is OK is its name, "" if it has none. */
struct evaluator_library {
    struct measurement library, winner;
};

struct evaluator_ops {
    size_t state_size; /* allocated zeroed by evaluator_open, freed by evaluator_close */
    int (*open)(void *state, const void *setup, struct error *error);
    /* How many more submissions are useful now: to keep the bottleneck busy for a strategy that learns at once (struct
     * strategy_ops), to fill the queue for others. */
    size_t (*room)(void *state, bool learns_at_once);
    /* How many devices measure, numbered from 0. */
    size_t (*devices)(const void *state);
    /* `exact`: never stop this one early for being slower than others. `device`: which one measures it, even if the
     * outcome of a duplicate is known. */
    int (*submit)(void *state, uint64_t index, bool exact, size_t device, struct error *error);
    /* Waits until an evaluation ends, `until_ns` (on clock_now_ns()) passes or a signal arrives. Writes up to `room`
     * finished evaluations, even with an error. Returns 0, or an error after which the evaluator can only be closed. */
    int (*wait)(void *state, int64_t until_ns, struct evaluation *done, size_t room, size_t *count,
                struct error *error);
    /* Writes up to `room` descriptors; when one becomes readable, `wait` has something to do. Returns their number;
     * 0: wait never waits. */
    size_t (*watch)(void *state, int *descriptors, size_t room);
    /* How long work that takes so many seconds of compiling and of measuring in all keeps it busy. NaN: unknown. */
    double (*busy_s)(const void *state, double compile_s, double measure_s);
    bool stops_early; /* configurations that are certainly worse than the incumbent */
    /* Passes the best value so far, in the time of a device or of all. */
    void (*incumbent)(void *state, size_t device, double value);
    /* Gives a device no more configurations to measure. One must be left. */
    void (*leave_out)(void *state, size_t device);
    /* Is the device gone for ever, so that others measure what it is wanted for? */
    bool (*lost)(const void *state, size_t device);
    /* The current time for budgets in seconds, in ns from an arbitrary start. */
    int64_t (*now)(void *state);
    /* Measures working configurations again, all together, while nothing else is in flight; at most FINALISTS_MAX + 1.
     * The outcomes have `playoff` set. An OK outcome without a time means that another configuration broke the
     * play-off. Sets *played to false if there is no result: the play-off was abandoned, or the device was lost. */
    int (*playoff)(void *state, const uint64_t *indices, size_t count, struct measurement *finals, bool *played,
                   struct error *error);
    void (*usage)(const void *state, struct evaluator_usage *usage); /* all 0: it has no processes */
    void (*close)(void *state);
    const struct evaluator_device_ops *device; /* NULL: it evaluates without a device */
};

/* What only a device tells. */
struct evaluator_device_ops {
    /* Measures the space's `library` and a working configuration together, in a process of its own, while nothing else
     * is in flight. Whatever is wrong with the library is no error. */
    int (*library)(void *state, uint64_t index, struct evaluator_library *measured, struct error *error);
    /* The ceilings of the devices. May start processes. */
    int (*ceilings)(void *state, struct ceilings *ceilings, struct error *error);
    /* Collects evidence about working configurations, one after the other, while nothing else is in flight, and passes
     * each to `take`, whose errors it returns. Begins none that would end after `until_ns` (on clock_now_ns();
     * INT64_MAX: no limit) if it took as long as the longest so far, and none after a stop. A profiler that is missing,
     * forbidden or fails is no error: the evidence has no counters then. */
    int (*evidence)(void *state, const uint64_t *indices, size_t count, int64_t until_ns, evaluator_take_evidence *take,
                    void *context, struct error *error);
};

/* Operations of an evaluator that has one device, which is never lost, in real time, that never waits, stops nothing
 * early, does not know how long work keeps it busy and has no processes. */
size_t evaluator_one_device(const void *state);
size_t evaluator_watch_nothing(void *state, int *descriptors, size_t room);
double evaluator_busy_unknown(const void *state, double compile_s, double measure_s);
void evaluator_ignore_incumbent(void *state, size_t device, double value);
void evaluator_ignore_leave_out(void *state, size_t device);
bool evaluator_lose_none(const void *state, size_t device);
int64_t evaluator_real_time(void *state);
void evaluator_no_usage(const void *state, struct evaluator_usage *usage);

struct evaluator {
    const struct evaluator_ops *ops;
    void *state;
};

/* Called by each evaluator's own function evaluator_open_NAME in eval_NAME.h: `setup` is its struct NAME_setup, which
 * is borrowed with all that it points to and must outlive the evaluator. */
int evaluator_open(struct evaluator *evaluator, const struct evaluator_ops *ops, const void *setup,
                   struct error *error);
/* Closing a zeroed evaluator does nothing. */
void evaluator_close(struct evaluator *evaluator);

/* Waits until the evaluator, if configurations are in flight, or a channel has something to do, `until_ns` (on
 * clock_now_ns()) passes or a signal arrives; at most a tenth of a second. */
void evaluator_await(const struct evaluator *evaluator, bool in_flight, struct channel *const *channels, size_t count,
                     int64_t until_ns);

#endif
