/* A search strategy proposes configurations by index and receives their costs. It sees only the valid set and the
 * values of its parameters: no time, no GPU, no files. A synthetic or replayed run is therefore deterministic. */
#ifndef CUTUNE_SEARCH_STRATEGY_H
#define CUTUNE_SEARCH_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"
#include "base/option.h"
#include "set/valid_set.h"

struct cost {
    bool ok;        /* false: failed or pruned; `value` is meaningless */
    bool censored;  /* censored: the evaluation was stopped early, `value` is an estimate, and the cost is at least
                     * `least`
                     */
    double value;   /* to be minimised; positive */
    double least;   /* if bound */
    unsigned cause; /* of a failure: equal numbers are of one kind; 0: none */
    double effort;  /* seconds of compiling while that is the bottleneck: the gain per second counts; NaN: free */
};

enum { PRIOR_RUNS_MAX = 8 }; /* that a strategy is given */

/* A prior run: measurements on another device, or for other sizes of the problem. */
struct prior_run {
    size_t count;            /* rows */
    const uint32_t *choices; /* count x parameters: numbers of values of this space, valid here or not */
    const double *costs;     /* by row, to be minimised; NaN: failed */
};

/* Input of a strategy. Everything is borrowed and outlives it. */
struct strategy_setup {
    const struct space *space; /* with the parameters' values */
    const struct valid_set *set;
    const struct prior_run *prior_runs; /* nearest devices and sizes first */
    size_t prior_run_count;
    uint64_t seed;
    const void *options; /* options_size bytes, filled by the strategy's option rows */
};

struct strategy_ops {
    const char *name, *summary;
    size_t state_size; /* the engine allocates it zeroed and frees it */
    /* Returns the number of configurations in the opening. Each proposal gains from known outcomes: no more are in
     * flight than keep the device busy, and before the first outcome no more than the opening. NULL: as many as the
     * evaluator takes. */
    size_t (*opening)(const void *state);
    const struct option_row *options;
    size_t option_count, options_size;
    const char *const *removed_options; /* of earlier versions, ending with NULL; NULL: none */
    int (*start)(void *state, const struct strategy_setup *setup, struct error *error);
    /* Writes up to `room` configurations to evaluate now, without repetition in a run and without those told before.
     * *count 0: ask again after the next outcome; with nothing in flight, the search is finished. The only error is
     * ERROR_MEMORY. */
    int (*ask)(void *state, uint64_t *configs, size_t room, size_t *count, struct error *error);
    /* Receives the cost of a configuration: a proposed one, in any order, or another known one. The next `ask` reports
     * a lack of memory. NULL: the strategy does not learn. */
    void (*tell)(void *state, uint64_t config, const struct cost *cost);
    /* Writes the weight of each prior run in the current expectation; 0: it explains nothing, below 0: it misleads.
     * NULL: the strategy uses no prior runs. */
    void (*weigh)(const void *state, double *weights);
    void (*stop)(void *state); /* Frees memory of the state; NULL: none. */
};

extern const struct strategy_ops *const strategies[];
extern const size_t strategy_count;

#define STRATEGY(name) extern const struct strategy_ops strategy_##name;
#include "lists/strategies.def"
#undef STRATEGY

/* Returns the strategy with a name; "auto" is `surrogate`, until the run decides otherwise. For an unknown name, NULL
 * and ERROR_USAGE with the nearest name. */
const struct strategy_ops *strategy_find(const char *name, struct error *error);

/* A strategy with its options. Empty when zeroed. */
struct strategy_choice {
    const struct strategy_ops *ops;
    bool automatic; /* "auto": the run may evaluate everything instead */
    void *options;
    char *text; /* owned text that the options point into */
};

/* Frees the previous choice, then reads "NAME" or "NAME:OPTION=VALUE,OPTION=VALUE": the strategy as in strategy_find;
 * missing options get their defaults. ERROR_USAGE with the allowed values. */
int strategy_choose(struct strategy_choice *choice, const char *text, struct error *error);
void strategy_choice_free(struct strategy_choice *choice);

#endif
