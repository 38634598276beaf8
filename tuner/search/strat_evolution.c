/* Differential evolution (Storn and Price, 1997) over the positions of values in their lists, rounded to the nearest
 * valid configuration. A member moves towards the best and by the difference of two others (current-to-best/1, binomial
 * crossover); the move replaces it if better. Members move in turn, even before the last move's result is known. */
#include <math.h>

#include "search/vary.h"

enum { POPULATION_MAX = 256 };

struct evolution_options {
    int64_t population;
    double weight, crossover;
};

#define FIELD(field) .offset = offsetof(struct evolution_options, field)
static const struct option_row rows[] = {
    {.name = "population",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(population),
     .min = 4,
     .max = POPULATION_MAX,
     .default_ = "12",
     .help = "members; a space-filling design provides the first"},
    {.name = "weight",
     .argument = "X",
     .type = OPTION_REAL,
     FIELD(weight),
     .min = 0,
     .max = 2,
     .default_ = "0.6",
     .help = "weight of differences"},
    {.name = "crossover",
     .argument = "X",
     .type = OPTION_REAL,
     FIELD(crossover),
     .min = 0,
     .max = 1,
     .default_ = "0.6",
     .help = "share of the parameters that move"},
};

struct evolution {
    struct mover mover; /* first */
    const struct evolution_options *options;
    size_t count, turn;
    struct member {
        uint64_t index;
        double value;
    } members[POPULATION_MAX];
};

static int start(void *state, const struct strategy_setup *setup, struct error *error)
{
    struct evolution *evolution = state;
    int code = mover_open(&evolution->mover, setup, error);
    evolution->options = setup->options;
    return code;
}

static size_t best_member(const struct evolution *evolution)
{
    size_t best = 0;
    for (size_t i = 1; i < evolution->count; i++)
        if (evolution->members[i].value < evolution->members[best].value)
            best = i;
    return best;
}

static bool propose(void *state, uint64_t *index)
{
    struct evolution *evolution = state;
    struct random *random = &evolution->mover.random;
    const struct encoding *encoding = &evolution->mover.encoding;
    const struct valid_set *set = evolution->mover.archive.set;
    uint32_t own[SPACE_PARAMETERS_MAX], best[SPACE_PARAMETERS_MAX], a[SPACE_PARAMETERS_MAX], b[SPACE_PARAMETERS_MAX];
    if (mover_begin(&evolution->mover, (size_t)evolution->options->population, index))
        return true;
    if (evolution->count < 4)
        return false;
    size_t owner = evolution->turn++ % evolution->count;
    valid_set_get(set, evolution->members[owner].index, own);
    valid_set_get(set, evolution->members[best_member(evolution)].index, best);
    valid_set_get(set, evolution->members[random_below(random, evolution->count)].index, a);
    valid_set_get(set, evolution->members[random_below(random, evolution->count)].index, b);
    uint64_t certain = random_below(random, encoding->count);
    for (size_t d = 0; d < encoding->count; d++) {
        size_t p = encoding->dimensions[d].parameter;
        if (d != certain && random_unit(random) >= evolution->options->crossover)
            continue;
        double to = own[p] + evolution->options->weight * ((double)best[p] - own[p] + (double)a[p] - b[p]);
        double low = floor(to), last = encoding->dimensions[d].values - 1;
        to = low + (random_unit(random) < to - low);
        own[p] = (uint32_t)fmin(fmax(to, 0), last);
    }
    if (!vary_settle(&evolution->mover, own, index))
        return false;
    mover_launch(&evolution->mover, *index, owner);
    return true;
}

static int ask(void *state, uint64_t *configs, size_t room, size_t *count, struct error *error)
{
    return archive_ask(state, propose, state, configs, room, count, error);
}

static void tell(void *state, uint64_t config, const struct cost *cost)
{
    struct evolution *evolution = state;
    size_t owner;
    bool mine = mover_land(&evolution->mover, config, &owner);
    archive_tell(&evolution->mover.archive, config, cost);
    if (!cost->ok || cost->bound)
        return;
    struct member member = {config, cost->value};
    if (evolution->count < (size_t)evolution->options->population)
        evolution->members[evolution->count++] = member;
    else if (mine && cost->value < evolution->members[owner].value)
        evolution->members[owner] = member;
}

const struct strategy_ops strategy_evolution = {.name = "evolution",
                                                .summary =
                                                    "differential evolution over positions in the lists of values",
                                                .state_size = sizeof(struct evolution),
                                                .options = rows,
                                                .option_count = sizeof rows / sizeof *rows,
                                                .options_size = sizeof(struct evolution_options),
                                                .start = start,
                                                .ask = ask,
                                                .tell = tell,
                                                .stop = mover_close};
