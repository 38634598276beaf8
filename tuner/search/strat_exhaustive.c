/* Proposes every valid configuration, in the order of indices. */
#include "search/strategy.h"

struct exhaustive {
    uint64_t next, count;
};

static int start(void *state, const struct strategy_setup *setup, struct error *error)
{
    struct exhaustive *exhaustive = state;
    (void)error;
    exhaustive->count = valid_set_count(setup->set);
    return 0;
}

static int ask(void *state, uint64_t *configs, size_t room, size_t *count, struct error *error)
{
    struct exhaustive *exhaustive = state;
    (void)error;
    for (*count = 0; *count < room && exhaustive->next < exhaustive->count; (*count)++)
        configs[*count] = exhaustive->next++;
    return 0;
}

const struct strategy_ops strategy_exhaustive = {.name = "exhaustive",
                                                 .summary = "every valid configuration, in order",
                                                 .state_size = sizeof(struct exhaustive),
                                                 .start = start,
                                                 .ask = ask};
