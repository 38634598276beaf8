/* A search strategy proposes configurations by index and is told their costs. It sees the valid set and nothing else:
 * no time, no GPU, no files. So a synthetic or replayed run is deterministic. */
#ifndef CUTUNE_SEARCH_STRATEGY_H
#define CUTUNE_SEARCH_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/option.h"
#include "space/valid_set.h"

struct cost {
    bool ok;      /* false: failed or was pruned; `value` means nothing */
    bool bound;   /* the cost is at least `value`: the evaluation was stopped early */
    double value; /* to be minimised */
};

struct strategy_ops {
    const char *name, *summary;
    size_t state_size; /* the engine allocates it zeroed and frees it */
    const struct option_row *options;
    size_t option_count, options_size;
    /* `set` outlives the strategy. */
    int (*start)(void *state, const struct valid_set *set, uint64_t seed, const void *options, struct error *error);
    /* Writes up to `room` configurations worth evaluating now, none of them twice in a run. 0 with nothing in flight
     * means that the search is finished. */
    size_t (*ask)(void *state, uint64_t *configs, size_t room);
    /* The cost of a configuration that was asked for; in any order. NULL: has nothing to learn. */
    void (*tell)(void *state, uint64_t config, const struct cost *cost);
    void (*stop)(void *state); /* frees what the state points to; NULL: nothing */
};

extern const struct strategy_ops *const strategies[];
extern const size_t strategy_count;

/* The strategy of that name; "auto" is the one that fits a valid set of `valid` configurations and the budget
 * (`max_evals` 0: none). NULL and ERROR_USAGE with the nearest name when there is none. */
const struct strategy_ops *strategy_find(const char *name, uint64_t valid, uint64_t max_evals, struct error *error);

#endif
