/* Every valid configuration, in the order of their indices. */
#include "search/strategy.h"

struct exhaustive {
    uint64_t next, count;
};

static int start(void *state, const struct valid_set *set, uint64_t seed, const void *options, struct error *error)
{
    struct exhaustive *exhaustive = state;
    (void)seed, (void)options, (void)error;
    exhaustive->count = valid_set_count(set);
    return 0;
}

static size_t ask(void *state, uint64_t *configs, size_t room)
{
    struct exhaustive *exhaustive = state;
    size_t asked = 0;
    while (asked < room && exhaustive->next < exhaustive->count)
        configs[asked++] = exhaustive->next++;
    return asked;
}

const struct strategy_ops strategy_exhaustive = {.name = "exhaustive",
                                                 .summary = "every valid configuration, in order",
                                                 .state_size = sizeof(struct exhaustive),
                                                 .start = start,
                                                 .ask = ask};
