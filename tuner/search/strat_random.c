/* Uniform without repetition: a seeded permutation of the valid set, from its beginning. */
#include "search/strategy.h"

struct uniform {
    uint64_t next, count, seed;
};

static int start(void *state, const struct valid_set *set, uint64_t seed, const void *options, struct error *error)
{
    struct uniform *uniform = state;
    (void)options, (void)error;
    uniform->count = valid_set_count(set);
    uniform->seed = seed;
    return 0;
}

static size_t ask(void *state, uint64_t *configs, size_t room)
{
    struct uniform *uniform = state;
    size_t asked = 0;
    while (asked < room && uniform->next < uniform->count)
        configs[asked++] = random_permute(uniform->seed, uniform->count, uniform->next++);
    return asked;
}

const struct strategy_ops strategy_random = {.name = "random",
                                             .summary = "valid configurations drawn uniformly, none twice",
                                             .state_size = sizeof(struct uniform),
                                             .start = start,
                                             .ask = ask};
