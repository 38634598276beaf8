/* Simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983) over the logarithm of the cost: accepts a better neighbour
 * always, and a worse one with a probability that falls as the temperature does. Reheats at the best configuration when
 * cold. */
#include <math.h>

#include "search/vary.h"

struct anneal_options {
    int64_t initial, cooling;
    double hot, cold;
};

#define FIELD(field) .offset = offsetof(struct anneal_options, field)
static const struct option_row rows[] = {
    DESIGN_OPTION(struct anneal_options, 1, "10", ""),
    {.name = "hot",
     .argument = "T",
     .type = OPTION_REAL,
     FIELD(hot),
     .min = 1e-6,
     .max = 100,
     .default_ = "0.2",
     .help = "initial temperature, as a logarithm of a ratio of costs"},
    {.name = "cold",
     .argument = "T",
     .type = OPTION_REAL,
     FIELD(cold),
     .min = 1e-9,
     .max = 100,
     .default_ = "0.01",
     .help = "final temperature"},
    {.name = "cooling",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(cooling),
     .min = 1,
     .max = 1e9,
     .default_ = "60",
     .help = "evaluations from hot to cold, after which it restarts at the best"},
};

struct anneal {
    struct mover mover; /* first */
    const struct anneal_options *options;
    bool placed;
    uint64_t centre;
    double value;
    int64_t step;
};

static int start(void *state, const struct strategy_setup *setup, struct error *error)
{
    struct anneal *anneal = state;
    int code = mover_open(&anneal->mover, setup, error);
    anneal->options = setup->options;
    return code;
}

static bool propose(void *state, uint64_t *index)
{
    struct anneal *anneal = state;
    struct archive *archive = &anneal->mover.archive;
    if (mover_begin(&anneal->mover, (size_t)anneal->options->initial, index))
        return true;
    if (archive->best == SIZE_MAX)
        return false;
    if (!anneal->placed || anneal->step >= anneal->options->cooling) {
        const struct archive_entry *best = &archive->entries[archive->best];
        anneal->placed = true;
        anneal->step = 0;
        anneal->centre = best->index;
        anneal->value = best->value;
    }
    if (vary_step(&anneal->mover, anneal->centre, index))
        return true;
    anneal->placed = false; /* no new neighbour is left here */
    return vary_step(&anneal->mover, archive->entries[archive->best].index, index);
}

static int ask(void *state, uint64_t *configs, size_t room, size_t *count, struct error *error)
{
    return archive_ask(state, propose, state, configs, room, count, error);
}

static void tell(void *state, uint64_t config, const struct cost *cost)
{
    struct anneal *anneal = state;
    const struct anneal_options *options = anneal->options;
    if (!archive_tell(&anneal->mover.archive, config, cost) || !anneal->placed)
        return;
    double done = (double)anneal->step++ / (double)options->cooling;
    double temperature = options->hot * pow(options->cold / options->hot, done);
    if (cost->ok && random_unit(&anneal->mover.random) < pow(anneal->value / cost->value, 1 / temperature)) {
        anneal->centre = config;
        anneal->value = cost->value;
    }
}

const struct strategy_ops strategy_anneal = {.name = "anneal",
                                             .summary = "simulated annealing over neighbours, reheated from the best",
                                             .state_size = sizeof(struct anneal),
                                             .learns_at_once = true,
                                             .options = rows,
                                             .option_count = sizeof rows / sizeof *rows,
                                             .options_size = sizeof(struct anneal_options),
                                             .start = start,
                                             .ask = ask,
                                             .tell = tell,
                                             .stop = mover_close};
