/* Space-filling: each proposal is as far as possible from all earlier ones. Johnson, Moore and Ylvisaker's maximin
 * designs within the valid set; see search/design.h. */
#include "search/vary.h"

static int start(void *state, const struct strategy_setup *setup, struct error *error)
{
    return mover_open(state, setup, error);
}

static bool propose(void *state, uint64_t *index)
{
    return mover_begin(state, SIZE_MAX, index);
}

static int ask(void *state, uint64_t *configs, size_t room, size_t *count, struct error *error)
{
    return archive_ask(state, propose, state, configs, room, count, error);
}

static void tell(void *state, uint64_t config, const struct cost *cost)
{
    archive_tell(state, config, cost);
}

const struct strategy_ops strategy_latin = {.name = "latin",
                                            .summary = "space-filling: as far as possible from all earlier proposals",
                                            .state_size = sizeof(struct mover),
                                            .start = start,
                                            .ask = ask,
                                            .tell = tell,
                                            .stop = mover_close};
