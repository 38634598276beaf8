/* Particle swarm (Kennedy and Eberhart, 1995; constriction of Clerc and Kennedy, 2002) over the positions of values in
 * their lists, rounded to the nearest valid configuration. Particles move in turn, even before the last move's result
 * is known. */
#include <math.h>
#include <stdlib.h>

#include "search/vary.h"

enum { PARTICLES_MAX = 256 };

struct swarm_options {
    int64_t particles;
    double inertia, own, common;
};

#define FIELD(field) .offset = offsetof(struct swarm_options, field)
static const struct option_row rows[] = {
    {.name = "particles",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(particles),
     .min = 2,
     .max = PARTICLES_MAX,
     .default_ = "12",
     .help = "particles; a space-filling design provides their first places"},
    {.name = "inertia",
     .argument = "X",
     .type = OPTION_REAL,
     FIELD(inertia),
     .min = 0,
     .max = 1,
     .default_ = "0.5",
     .help = "share of its velocity that a particle keeps"},
    {.name = "own",
     .argument = "X",
     .type = OPTION_REAL,
     FIELD(own),
     .min = 0,
     .max = 4,
     .default_ = "1",
     .help = "pull of the particle's own best place"},
    {.name = "common",
     .argument = "X",
     .type = OPTION_REAL,
     FIELD(common),
     .min = 0,
     .max = 4,
     .default_ = "1.5",
     .help = "pull of the swarm's best place"},
};

struct particle {
    uint64_t place, best;
    double value;                          /* of the best */
    double velocity[SPACE_PARAMETERS_MAX]; /* by dimension */
};

struct swarm {
    struct mover mover; /* first */
    const struct swarm_options *options;
    size_t count, turn;
    struct particle *particles;
};

static int start(void *state, const struct strategy_setup *setup, struct error *error)
{
    struct swarm *swarm = state;
    int code = mover_open(&swarm->mover, setup, error);
    swarm->options = setup->options;
    swarm->particles = calloc((size_t)swarm->options->particles, sizeof *swarm->particles);
    return code ? code : swarm->particles ? 0 : error_memory(error);
}

static bool propose(void *state, uint64_t *index)
{
    struct swarm *swarm = state;
    struct archive *archive = &swarm->mover.archive;
    struct random *random = &swarm->mover.random;
    const struct encoding *encoding = &swarm->mover.encoding;
    uint32_t place[SPACE_PARAMETERS_MAX], own[SPACE_PARAMETERS_MAX], best[SPACE_PARAMETERS_MAX];
    if (mover_begin(&swarm->mover, (size_t)swarm->options->particles, index))
        return true;
    if (swarm->count == 0)
        return false;
    size_t owner = swarm->turn++ % swarm->count;
    struct particle *particle = &swarm->particles[owner];
    valid_set_get(archive->set, particle->place, place);
    valid_set_get(archive->set, particle->best, own);
    valid_set_get(archive->set, archive->entries[archive->best].index, best);
    for (size_t d = 0; d < encoding->count; d++) {
        size_t p = encoding->dimensions[d].parameter;
        double last = encoding->dimensions[d].values - 1, *velocity = &particle->velocity[d];
        *velocity = swarm->options->inertia * *velocity +
                    2 * swarm->options->own * random_unit(random) * ((double)own[p] - place[p]) +
                    2 * swarm->options->common * random_unit(random) * ((double)best[p] - place[p]);
        *velocity = fmin(fmax(*velocity, -last / 2), last / 2);
        place[p] = (uint32_t)fmin(fmax(floor(place[p] + *velocity + random_unit(random)), 0), last);
    }
    if (!vary_settle(&swarm->mover, place, index))
        return false;
    mover_launch(&swarm->mover, *index, owner);
    return true;
}

static int ask(void *state, uint64_t *configs, size_t room, size_t *count, struct error *error)
{
    return archive_ask(state, propose, state, configs, room, count, error);
}

static void tell(void *state, uint64_t config, const struct cost *cost)
{
    struct swarm *swarm = state;
    size_t owner;
    bool mine = mover_land(&swarm->mover, config, &owner);
    archive_tell(&swarm->mover.archive, config, cost);
    if (!mine && swarm->count < (size_t)swarm->options->particles && cost->ok) {
        swarm->particles[swarm->count++] = (struct particle){.place = config, .best = config, .value = cost->value};
    } else if (mine) {
        struct particle *particle = &swarm->particles[owner];
        particle->place = config;
        if (cost->ok && cost->value < particle->value) {
            particle->best = config;
            particle->value = cost->value;
        }
    }
}

static void stop(void *state)
{
    struct swarm *swarm = state;
    mover_close(&swarm->mover);
    free(swarm->particles);
}

const struct strategy_ops strategy_swarm = {.name = "swarm",
                                            .summary = "a particle swarm over positions in the lists of values",
                                            .state_size = sizeof(struct swarm),
                                            .options = rows,
                                            .option_count = sizeof rows / sizeof *rows,
                                            .options_size = sizeof(struct swarm_options),
                                            .start = start,
                                            .ask = ask,
                                            .tell = tell,
                                            .stop = stop};
