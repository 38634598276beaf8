#include "search/strategy.h"

#include <string.h>

#define STRATEGY(name) extern const struct strategy_ops strategy_##name;
#include "search/strategies.def"
#undef STRATEGY

const struct strategy_ops *const strategies[] = {
#define STRATEGY(name) &strategy_##name,
#include "search/strategies.def"
#undef STRATEGY
};
const size_t strategy_count = sizeof strategies / sizeof *strategies;

const struct strategy_ops *strategy_find(const char *name, uint64_t valid, uint64_t max_evals, struct error *error)
{
    const char *names[sizeof strategies / sizeof *strategies + 1] = {"auto"};
    /* All of a set that fits the budget is better than a part of it. */
    if (strcmp(name, "auto") == 0)
        name = max_evals && max_evals < valid ? "random" : "exhaustive";
    for (size_t i = 0; i < strategy_count; i++) {
        if (strcmp(strategies[i]->name, name) == 0)
            return strategies[i];
        names[i + 1] = strategies[i]->name;
    }
    const char *nearest = text_nearest(name, names, strategy_count + 1);
    error_set(error, ERROR_USAGE, "--strategy: there is no strategy '%s'", name);
    if (nearest)
        error_hint(error, "did you mean '%s'?", nearest);
    else
        error_hint(error, "expected auto, exhaustive or random");
    return NULL;
}
