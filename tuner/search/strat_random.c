/* Proposes configurations uniformly without repetition: a seeded permutation of the valid set. */
#include "search/archive.h"

static int start(void *state, const struct strategy_setup *setup, struct error *error)
{
    return archive_open(state, setup, error);
}

static bool propose(void *state, uint64_t *index)
{
    return archive_fresh(state, index);
}

static int ask(void *state, uint64_t *configs, size_t room, size_t *count, struct error *error)
{
    return archive_ask(state, propose, state, configs, room, count, error);
}

static void tell(void *state, uint64_t config, const struct cost *cost)
{
    archive_tell(state, config, cost);
}

static void stop(void *state)
{
    archive_close(state);
}

const struct strategy_ops strategy_random = {.name = "random",
                                             .summary = "valid configurations drawn uniformly, none twice",
                                             .state_size = sizeof(struct archive),
                                             .start = start,
                                             .ask = ask,
                                             .tell = tell,
                                             .stop = stop};
