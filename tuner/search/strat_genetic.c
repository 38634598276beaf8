/* A steady-state genetic algorithm (Syswerda, "A Study of Reproduction in Generational and Steady-State Genetic
 * Algorithms", 1991): the population is the best known configurations. Tournaments choose the parents; uniform
 * crossover and a mutation of about one parameter follow, then rounding to the nearest valid configuration. Accepts
 * results in any order. */
#include "search/elite.h"
#include "search/vary.h"

struct genetic_options {
    int64_t initial, population, tournament;
    double crossover, mutation;
};

#define FIELD(field) .offset = offsetof(struct genetic_options, field)
static const struct option_row rows[] = {
    DESIGN_OPTION(struct genetic_options, 1, "16", ""),
    {.name = "population",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(population),
     .min = 2,
     .max = ELITE_MAX,
     .default_ = "12",
     .help = "members: the best configurations so far"},
    {.name = "tournament",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(tournament),
     .min = 1,
     .max = 64,
     .default_ = "2",
     .help = "members drawn for each parent, of which the best becomes it"},
    {.name = "crossover",
     .argument = "X",
     .type = OPTION_REAL,
     FIELD(crossover),
     .min = 0,
     .max = 1,
     .default_ = "0.7",
     .help = "chance of a second parent"},
    {.name = "mutation",
     .argument = "X",
     .type = OPTION_REAL,
     FIELD(mutation),
     .min = 0,
     .max = 64,
     .default_ = "1",
     .help = "parameters that change on average"},
};

struct genetic {
    struct mover mover; /* first */
    const struct genetic_options *options;
    struct elite elite;
};

static int start(void *state, const struct strategy_setup *setup, struct error *error)
{
    struct genetic *genetic = state;
    int code = mover_open(&genetic->mover, setup, error);
    genetic->options = setup->options;
    genetic->elite.most = (size_t)genetic->options->population;
    return code;
}

static uint64_t parent(struct genetic *genetic)
{
    uint64_t best = genetic->elite.count - 1;
    for (int64_t i = 0; i < genetic->options->tournament; i++) {
        uint64_t drawn = random_below(&genetic->mover.random, genetic->elite.count);
        best = drawn < best ? drawn : best;
    }
    return genetic->elite.members[best].index;
}

static void mutate(struct genetic *genetic, uint32_t *choices)
{
    struct random *random = &genetic->mover.random;
    const struct encoding *encoding = &genetic->mover.encoding;
    for (size_t d = 0; d < encoding->count; d++) {
        const struct dimension *dimension = &encoding->dimensions[d];
        uint32_t *choice = &choices[dimension->parameter];
        if (random_unit(random) * (double)encoding->count >= genetic->options->mutation)
            continue;
        bool step = !genetic->mover.encoding.features[dimension->first_feature].nominal && random_below(random, 2);
        if (step && *choice > 0 && (*choice + 1 == dimension->values || random_below(random, 2)))
            (*choice)--;
        else if (step)
            (*choice)++;
        else
            *choice = (uint32_t)random_below(random, dimension->values);
    }
}

static bool propose(void *state, uint64_t *index)
{
    struct genetic *genetic = state;
    const struct valid_set *set = genetic->mover.archive.set;
    uint32_t child[SPACE_PARAMETERS_MAX], other[SPACE_PARAMETERS_MAX];
    if (mover_begin(&genetic->mover, (size_t)genetic->options->initial, index))
        return true;
    if (genetic->elite.count == 0)
        return false;
    valid_set_get(set, parent(genetic), child);
    if (random_unit(&genetic->mover.random) < genetic->options->crossover) {
        valid_set_get(set, parent(genetic), other);
        for (size_t p = 0; p < valid_set_parameter_count(set); p++)
            if (random_below(&genetic->mover.random, 2))
                child[p] = other[p];
    }
    mutate(genetic, child);
    return vary_settle(&genetic->mover, child, index);
}

static int ask(void *state, uint64_t *configs, size_t room, size_t *count, struct error *error)
{
    return archive_ask(state, propose, state, configs, room, count, error);
}

static void tell(void *state, uint64_t config, const struct cost *cost)
{
    struct genetic *genetic = state;
    archive_tell(&genetic->mover.archive, config, cost);
    elite_tell(&genetic->elite, config, cost);
}

const struct strategy_ops strategy_genetic = {.name = "genetic",
                                              .summary = "a population of the best, crossed and mutated",
                                              .state_size = sizeof(struct genetic),
                                              .options = rows,
                                              .option_count = sizeof rows / sizeof *rows,
                                              .options_size = sizeof(struct genetic_options),
                                              .start = start,
                                              .ask = ask,
                                              .tell = tell,
                                              .stop = mover_close};
