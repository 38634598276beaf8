/* Every valid configuration, the last first. */
#include "search/strategy.h"

struct backwards {
    uint64_t left;
};

static int start(void *state, const struct strategy_setup *setup, struct error *error)
{
    struct backwards *backwards = state;
    (void)error;
    backwards->left = valid_set_count(setup->set);
    return 0;
}

static int ask(void *state, uint64_t *configs, size_t room, size_t *count, struct error *error)
{
    struct backwards *backwards = state;
    (void)error;
    for (*count = 0; *count < room && backwards->left; (*count)++)
        configs[*count] = --backwards->left;
    return 0;
}

const struct strategy_ops strategy_backwards = {.name = "backwards",
                                                .summary = "every valid configuration, the last first",
                                                .state_size = sizeof(struct backwards),
                                                .start = start,
                                                .ask = ask};
