/* A search strategy proposes configurations by index and is told their costs. It sees the valid set, the values of its
 * parameters and nothing else: no time, no GPU, no files. So a synthetic or replayed run is deterministic. */
#ifndef CUTUNE_SEARCH_STRATEGY_H
#define CUTUNE_SEARCH_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"
#include "base/option.h"
#include "space/valid_set.h"

struct cost {
    bool ok;      /* false: failed or was pruned; `value` means nothing */
    bool bound;   /* the cost is at least `value`: the evaluation was stopped early */
    double value; /* to be minimised; positive */
};

/* What a strategy starts with. All is borrowed and outlives it. */
struct strategy_setup {
    const struct space *space; /* what the parameters' values are */
    const struct valid_set *set;
    const double
        *compiler_metrics; /* by enum compiler_metric and configuration, NaN: unknown; NULL: nothing is known */
    uint64_t seed;
    const void *options; /* options_size bytes, filled by the strategy's option rows */
};

struct strategy_ops {
    const char *name, *summary;
    size_t state_size; /* the engine allocates it zeroed and frees it */
    const struct option_row *options;
    size_t option_count, options_size;
    /* Whether, with these options, it begins with compiler metrics of all configurations. NULL: no. */
    bool (*wants_compiler_metrics)(const void *options);
    int (*start)(void *state, const struct strategy_setup *setup, struct error *error);
    /* Writes up to `room` configurations worth evaluating now: none twice in a run, none of which it was told before.
     * *count 0 with nothing in flight means that the search is finished. Fails only when memory is out. */
    int (*ask)(void *state, uint64_t *configs, size_t room, size_t *count, struct error *error);
    /* The cost of a configuration: of one that was asked for, in any order, or of another that is known. A lack of
     * memory is for the next `ask` to report. NULL: has nothing to learn. */
    void (*tell)(void *state, uint64_t config, const struct cost *cost);
    void (*stop)(void *state); /* frees what the state points to; NULL: nothing */
};

extern const struct strategy_ops *const strategies[];
extern const size_t strategy_count;

#define STRATEGY(name) extern const struct strategy_ops strategy_##name;
#include "lists/strategies.def"
#undef STRATEGY

/* The strategy of that name; "auto" is the one that fits a valid set of `valid` configurations and the budget
 * (`max_evals` 0: none). NULL and ERROR_USAGE with the nearest name when there is none. */
const struct strategy_ops *strategy_find(const char *name, uint64_t valid, uint64_t max_evals, struct error *error);

/* A strategy with its options. A zeroed one is empty. */
struct strategy_choice {
    const struct strategy_ops *ops;
    void *options;
    char *text; /* what the options were read from: they point into it */
};

/* What the choice held is freed. Reads "NAME" or "NAME:OPTION=VALUE,OPTION=VALUE": the strategy as strategy_find does,
 * options that are not named by their defaults. ERROR_USAGE with what is allowed. */
int strategy_choose(struct strategy_choice *choice, const char *text, uint64_t valid, uint64_t max_evals,
                    struct error *error);
void strategy_choice_free(struct strategy_choice *choice);

#endif
