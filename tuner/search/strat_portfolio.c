/* Several strategies that share all observations; each evaluation goes to the one with the most credit. Credit is the
 * area under the curve of a strategy's successes within a sliding window, plus a bandit's bonus for strategies that
 * were asked seldom (Fialho, Schoenauer and Sebag, "Toward comparison-based adaptive operator selection", 2010; used
 * for tuning by Ansel et al., "OpenTuner", 2014). A success is a configuration among the best few so far. */
#include <math.h>
#include <stdlib.h>

#include "search/elite.h"
#include "search/vary.h"

enum { WINDOW_MAX = 1000, TRIES = 8 };

struct portfolio_options {
    int64_t window, successes;
    double explore;
};

#define FIELD(field) .offset = offsetof(struct portfolio_options, field)
static const struct option_row rows[] = {
    {.name = "window",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(window),
     .min = 1,
     .max = WINDOW_MAX,
     .default_ = "60",
     .help = "number of latest evaluations that earn credit"},
    {.name = "successes",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(successes),
     .min = 1,
     .max = ELITE_MAX,
     .default_ = "5",
     .help = "an evaluation among the best N is a success"},
    {.name = "explore",
     .argument = "X",
     .type = OPTION_REAL,
     FIELD(explore),
     .min = 0,
     .max = 100,
     .default_ = "0.05",
     .help = "weight of the bonus for being asked seldom, relative to success"},
};

static const struct strategy_ops *const members[] = {&strategy_surrogate, &strategy_local, &strategy_anneal,
                                                     &strategy_genetic, &strategy_swarm};
enum { MEMBERS = sizeof members / sizeof *members };

struct portfolio {
    struct mover mover; /* first */
    const struct portfolio_options *options;
    struct elite elite;
    struct strategy_choice choices[MEMBERS];
    void *states[MEMBERS];
    bool started[MEMBERS];
    size_t event_count; /* over the whole run */
    struct event {
        size_t member;
        bool success;
    } events[WINDOW_MAX]; /* a ring */
    struct error error;   /* of the first member that failed */
};

static int start(void *state, const struct strategy_setup *setup, struct error *error)
{
    struct portfolio *portfolio = state;
    int code = mover_open(&portfolio->mover, setup, error);
    portfolio->options = setup->options;
    portfolio->elite.most = (size_t)portfolio->options->successes;
    for (size_t m = 0; m < MEMBERS && !code; m++) {
        struct strategy_setup own = *setup;
        own.seed = random_mix(setup->seed, m + 1);
        code = strategy_choose(&portfolio->choices[m], members[m]->name, 0, 0, error);
        own.options = portfolio->choices[m].options;
        if (!code && !(portfolio->states[m] = calloc(1, members[m]->state_size)))
            code = error_memory(error);
        if (!code) {
            portfolio->started[m] = true;
            code = members[m]->start(portfolio->states[m], &own, error);
        }
    }
    return code;
}

static void stop(void *state)
{
    struct portfolio *portfolio = state;
    for (size_t m = 0; m < MEMBERS; m++) {
        if (portfolio->started[m])
            members[m]->stop(portfolio->states[m]);
        free(portfolio->states[m]);
        strategy_choice_free(&portfolio->choices[m]);
    }
    mover_close(&portfolio->mover);
}

/* The member to ask: the one with the greatest sum of credit and bonus. */
static size_t choose(struct portfolio *portfolio)
{
    double area[MEMBERS] = {0}, asked[MEMBERS] = {0}, top = -1;
    size_t window = (size_t)portfolio->options->window, best = 0;
    size_t from = portfolio->event_count > window ? portfolio->event_count - window : 0;
    for (size_t e = from; e < portfolio->event_count; e++) {
        const struct event *event = &portfolio->events[e % WINDOW_MAX];
        asked[event->member]++;
        area[event->member] += event->success ? asked[event->member] : 0;
    }
    for (size_t i = 0; i < portfolio->mover.flight_count; i++)
        asked[portfolio->mover.flights[i].owner]++;
    for (size_t m = 0; m < MEMBERS; m++) {
        double credit = area[m] / fmax(asked[m] * (asked[m] + 1) / 2, 1),
               total = (double)(portfolio->event_count - from);
        double score =
            asked[m] > 0 ? credit + portfolio->options->explore * sqrt(2 * log(total + 1) / asked[m]) : INFINITY;
        if (score > top) {
            top = score;
            best = m;
        }
    }
    return best;
}

static bool propose(void *state, uint64_t *index)
{
    struct portfolio *portfolio = state;
    struct archive *archive = &portfolio->mover.archive;
    if (mover_begin(&portfolio->mover, design_size(&portfolio->mover.encoding), index))
        return true;
    size_t member = choose(portfolio);
    for (int i = 0; i < TRIES; i++) {
        size_t count;
        if (members[member]->ask(portfolio->states[member], index, 1, &count, &portfolio->error)) {
            archive->failed = true;
            return false;
        }
        if (count == 0)
            return false;
        if (!archive_find(archive, *index)) { /* otherwise it is in flight for another member */
            mover_launch(&portfolio->mover, *index, member);
            return true;
        }
    }
    return false;
}

static int ask(void *state, uint64_t *configs, size_t room, size_t *count, struct error *error)
{
    return archive_ask(state, propose, state, configs, room, count, error);
}

static void tell(void *state, uint64_t config, const struct cost *cost)
{
    struct portfolio *portfolio = state;
    const struct elite *elite = &portfolio->elite;
    size_t owner;
    bool room = elite->count < elite->most;
    bool success = cost->ok && !cost->bound && (room || cost->value < elite->members[elite->count - 1].value);
    archive_tell(&portfolio->mover.archive, config, cost);
    elite_tell(&portfolio->elite, config, cost);
    for (size_t m = 0; m < MEMBERS; m++)
        members[m]->tell(portfolio->states[m], config, cost);
    if (mover_land(&portfolio->mover, config, &owner))
        portfolio->events[portfolio->event_count++ % WINDOW_MAX] = (struct event){owner, success};
}

const struct strategy_ops strategy_portfolio = {
    .name = "portfolio",
    .summary = "surrogate, local, anneal, genetic and swarm, each as often as it has earned",
    .state_size = sizeof(struct portfolio),
    .learns_at_once = true,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .options_size = sizeof(struct portfolio_options),
    .start = start,
    .ask = ask,
    .tell = tell,
    .stop = stop};
