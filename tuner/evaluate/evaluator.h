/* An evaluator turns configurations into measurements: on a GPU, from a journal, or from a formula. It never sees the
 * strategy, so a new backend is one file, eval_NAME.c. Evaluations are asynchronous: submit some, wait for any. */
#ifndef CUTUNE_EVALUATE_EVALUATOR_H
#define CUTUNE_EVALUATE_EVALUATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/measurement.h"

struct evaluation {
    uint64_t index;
    struct measurement measurement;
    const char
        *log; /* the compiler's, of a configuration that does not compile; borrowed until the next call. NULL: none */
};

/* How busy processes and device were. The measuring phase goes from the first measurement of the search to the last;
 * the play-off is no part of it. Process time as the processes tell it. */
struct evaluator_usage {
    size_t compilers;
    uint64_t compiled;        /* compilations, those from the cache included */
    int64_t compile_ns;       /* their sum */
    int64_t compile_wall_ns;  /* from the first one's begin to the last one's end */
    int64_t phase_ns;         /* of the measuring phase */
    int64_t phase_measure_ns; /* of it: loading, verifying or timing a kernel, the sum over the device processes */
    int64_t phase_compile_ns; /* compiling in it, the sum over the processes */
};

struct evaluator_ops {
    size_t state_size; /* allocated zeroed and freed by evaluator_open and evaluator_close */
    int (*open)(void *state, const void *setup, struct error *error);
    /* How many more submissions are useful now: enough to keep every worker busy. */
    size_t (*room)(void *state);
    /* `exact`: never stop this one early because it is slower than others. */
    int (*submit)(void *state, uint64_t index, bool exact, struct error *error);
    /* Waits until an evaluation ends, `until_ns` comes (on clock_now_ns()) or a signal arrives; writes up to `room`
     * finished ones, also with an error, and returns 0, or an error after which the evaluator can only be closed. */
    int (*wait)(void *state, int64_t until_ns, struct evaluation *done, size_t room, size_t *count,
                struct error *error);
    /* What the compiler says of every configuration, while nothing is in flight and before anything was: goes on
     * towards that for a tenth of a second or so. `compiler_metrics`: by enum compiler_metric and configuration, left
     * alone where nothing is known; *done: how many configurations it has dealt with; *more: call again. After a stop,
     * and after `end_ns` of its time, it takes up nothing new. NULL: nothing is known. */
    int (*compiler_metrics)(void *state, int64_t end_ns, double *compiler_metrics, uint64_t *done, bool *more,
                            struct error *error);
    /* A time that decreases with the best so far: what is certainly slower may be stopped early.
     * NULL: not interested. */
    void (*incumbent)(void *state, double high_ns);
    /* Now, on the clock that budgets in seconds go by, in ns from any start. NULL: the real time. */
    int64_t (*now)(void *state);
    /* Measures configurations that are known to work again, all together, while nothing else is in flight. The outcomes
     * have `playoff` set. An outcome without a time that is OK says that another one broke the play-off. *played is
     * false when nothing can be said of any: it was given up, or the device was lost. At most RUN_FINALISTS_MAX + 1.
     * NULL: times are what they are. */
    int (*playoff)(void *state, const uint64_t *indices, size_t count, struct measurement *finals, bool *played,
                   struct error *error);
    /* What the device reaches. May start what was not needed so far. NULL: unknown. */
    int (*ceilings)(void *state, struct ceilings *ceilings, struct error *error);
    /* NULL: it has no processes. */
    void (*usage)(const void *state, struct evaluator_usage *usage);
    void (*close)(void *state);
};

struct evaluator {
    const struct evaluator_ops *ops;
    void *state;
};

/* For the evaluators' own functions, evaluator_open_NAME in eval_NAME.h: `setup` is that evaluator's struct NAME_setup.
 * It and all that it points to are borrowed and outlive the evaluator. */
int evaluator_open(struct evaluator *evaluator, const struct evaluator_ops *ops, const void *setup,
                   struct error *error);
/* A zeroed one is fine. */
void evaluator_close(struct evaluator *evaluator);

#endif
