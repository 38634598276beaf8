#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/timeline.h"
#include "run/energy.h"
#include "run/idle.h"
#include "run/run_state.h"

enum { BATCH = 64 };

/* Starts the strategy of the plan. */
static int begin_strategy(struct search_run *run, const void *options, struct error *error)
{
    const struct run_setup *setup = run->setup;
    const struct run_plan *plan = &run->progress->plan;
    const struct strategy_setup strategy = {.space = setup->space,
                                            .set = setup->set,
                                            .prior_runs = setup->prior_runs,
                                            .prior_run_count = setup->prior_run_count,
                                            .seed = setup->seed,
                                            .options = options};
    return search_begin(&run->search, plan->strategy, &strategy, error);
}

/* Evaluates a requested configuration, unless its outcome is known or it is in flight. */
static int want(struct search_run *run, uint64_t index, struct error *error)
{
    struct outcome *outcome = outcomes_get(&run->outcomes, index);
    if (!outcome)
        return error_memory(error);
    run->charged += !(outcome->marks & CHARGED);
    outcome->marks |= CHARGED;
    if (outcome->marks & IN_FLIGHT) /* the strategy receives the outcome when it ends */
        return 0;
    if (!outcome->last)
        return run_submit(run, outcome, run_is_exact(run, index), error);
    run_tell(run, outcome); /* already counted when recorded or loaded */
    return 0;
}

/* Takes the finds of concurrent runs; asks for new ones when due. */
static int exchange(struct search_run *run, uint64_t *configs, size_t room, size_t *count, struct error *error)
{
    const struct run_setup *setup = run->setup;
    int code = 0;
    if (setup->exchange && search_learns(&run->search) && run->charged >= run->exchange_at) {
        while (run->exchange_at <= run->charged)
            run->exchange_at *= 2;
        run->exchanged = 0;
        code = setup->exchange(setup->context, run->theirs, RUN_EXCHANGED_MAX, &run->their_count, error);
    }
    while (!code && run->exchanged < run->their_count && *count < room) {
        struct outcome *outcome = outcomes_get(&run->outcomes, run->theirs[run->exchanged++]);
        if (!outcome)
            return error_memory(error);
        if (outcome->last || outcome->marks & IN_FLIGHT)
            continue;
        outcome->marks |= EXCHANGED;
        configs[(*count)++] = outcome->key;
    }
    return code;
}

/* Returns how many more configurations may be in flight: the evaluator's useful number (evaluate/queue_depth.h), within
 * the budget. */
static size_t room_for(const struct search_run *run)
{
    const struct run_setup *setup = run->setup;
    bool learns = run->progress->plan.strategy->opening;
    size_t room = setup->evaluator->ops->room(setup->evaluator->state, learns);
    uint64_t left = setup->max_evals ? setup->max_evals - run->charged : UINT64_MAX;
    room = room < BATCH ? room : BATCH;
    return left < room ? (size_t)left : room;
}

/* Returns the next configurations to evaluate: first those of the setup, then the sample, then the strategy's. A
 * strategy that learns waits for the outcomes of the first ones. */
static int next(struct search_run *run, uint64_t *configs, size_t room, size_t *count, struct error *error)
{
    const struct run_setup *setup = run->setup;
    *count = 0;
    while (run->begun < setup->first_count && *count < room)
        configs[(*count)++] = setup->first[run->begun++];
    while (run->progress->plan.open && run->sampled < RUN_SAMPLE && *count < room)
        configs[(*count)++] = run->sample[run->sampled++];
    if (*count)
        return 0;
    run->searching |= !setup->first_count || !search_learns(&run->search) || run->in_flight == 0;
    if (!run->searching)
        return 0;
    int code = exchange(run, configs, room, count, error);
    if (code || *count)
        return code;
    code = search_ask(&run->search, run->in_flight, run->progress->evaluated > 0, configs, room, count, error);
    run->exhausted = *count == 0;
    return code;
}

/* Keeps the evaluator full. */
static int ask(struct search_run *run, struct error *error)
{
    int code = 0;
    run->exhausted = false;
    while (!code && run_budget_left(run)) {
        uint64_t configs[BATCH];
        size_t room = room_for(run), count;
        if (room == 0)
            break;
        code = next(run, configs, room, &count, error);
        if (code || count == 0)
            break;
        for (size_t i = 0; i < count && !code; i++)
            code = want(run, configs[i], error);
    }
    return code;
}

/* Tells the strategy all recorded outcomes before the first ask, so that it continues from there. */
static int loop(struct search_run *run, struct error *error)
{
    int code = run_refresh(run, error);
    if (!code)
        code = run_settle(run, error);
    for (size_t i = 0; i < run->recorded && !code; i++)
        if (!(run->outcomes.items[i].marks & ROWS_OUTSIDE))
            run_tell(run, &run->outcomes.items[i]);
    if (!code && run->progress->default_index != UINT64_MAX && !run_stop_asked(run))
        code = want(run, run->progress->default_index, error);
    if (!code && run->setup->incumbent && !run->setup->replays)
        code = run_await_room(run, error);
    if (!code && run->setup->incumbent && !run->setup->replays && !run_stop_asked(run))
        code = want(run, *run->setup->incumbent, error);
    while (!code && run_stop_asked(run) < 2) {
        code = ask(run, error);
        if (code || (run->in_flight == 0 && (run->exhausted || !run_budget_left(run))))
            break;
        /* Without room although nothing is in flight, the evaluator is measuring for itself. */
        if (run->in_flight || !run->exhausted)
            code = run_collect(run, error);
        if (!code && run_plan_follow(run)) {
            search_end(&run->search);
            code = begin_strategy(run, NULL, error); /* the exhaustive strategy has no options */
        }
    }
    timeline("coordinator", "search finished");
    return code ? code : run_settle(run, error);
}

/* Finds the best of the first configurations, by the play-off's times if they took part. */
static void judge_first(struct search_run *run)
{
    struct run_progress *progress = run->progress;
    progress->first = measurement_unknown(STATUS_OK);
    for (size_t i = 0; i < run->setup->first_count; i++) {
        uint64_t index = run->setup->first[i];
        const struct outcome *outcome = outcomes_find(&run->outcomes, index);
        if (!outcome || !(outcome->marks & COUNTED))
            continue;
        progress->first_count++;
        if (!run_timed(run, outcome))
            continue;
        const struct measurement here = outcomes_measurement(&run->outcomes, outcome, OUTCOME_KNOWN_AS);
        if (isnan(progress->first.value) ||
            objective_better(measurement_objective(&here), here.value, progress->first.value)) {
            progress->first = here;
            progress->first_index = index;
        }
    }
}

/* Plays off, and chooses the winner. */
static int decide(struct search_run *run, struct error *error)
{
    int code = run->setup->finalists ? run_play_off(run, error) : 0;
    run_count_unsettled(run);
    if (!code)
        run_choose_winner(run);
    return code;
}

static int tune(struct search_run *run, struct error *error)
{
    const struct run_setup *setup = run->setup;
    struct run_progress *progress = run->progress;
    memset(progress, 0, sizeof *progress);
    progress->incumbent_ratio = NAN;
    run->start_ns = run_now(run);
    run->exchange_at = RUN_EXCHANGE;
    valid_set_find_default(setup->set, setup->space, &progress->default_index);
    progress->total = valid_set_count(setup->set);
    if (setup->max_evals && setup->max_evals < progress->total)
        progress->total = setup->max_evals;
    int code = run_load(run, error);
    if (!code) {
        run_adopt(run);
        run_plan_begin(run);
    }
    if (!code)
        code = begin_strategy(run, setup->strategy_options, error);
    if (!code) {
        int64_t used_ns = clock_process_ns();
        code = loop(run, error);
        progress->coordinator_ns = clock_process_ns() - used_ns;
        progress->search_ns = run_now(run) - run->start_ns;
    }
    int decided = code ? code : decide(run, error);
    if (!decided)
        decided = idle_parameters(setup->space, setup->set, &run->outcomes, &progress->idle, error);
    judge_first(run);
    if (!decided)
        decided = run_measure_energy(run, error);
    run_send(run, (struct run_event){.kind = RUN_TICK});
    search_weigh(&run->search, progress->weights);
    return decided ? decided : run->told;
}

int run_open(struct search_run **opened, const struct run_setup *setup, struct run_progress *progress,
             struct error *error)
{
    struct search_run *run = *opened = calloc(1, sizeof *run);
    if (!run)
        return error_memory(error);
    run->own = *setup;
    run->setup = &run->own;
    run->progress = progress;
    run->error = error;
    return tune(run, error);
}

int run_play_again(struct search_run *run, uint64_t incumbent, struct error *error)
{
    const int64_t limit_ns = run->progress->plan.limit_ns;
    run->newcomer = incumbent;
    run->own.incumbent = &run->newcomer;
    run->closing = false;
    run_limit(run, run->setup->end_ns ? run->setup->end_ns - run->start_ns : 0); /* that of the search is over */
    int code = want(run, incumbent, error);
    if (!code)
        code = run_drain(run, error);
    if (!code)
        code = run_settle(run, error); /* it may have been stopped early */
    run_limit(run, limit_ns);
    if (!code)
        code = decide(run, error);
    run_send(run, (struct run_event){.kind = RUN_TICK});
    return code ? code : run->told;
}

void run_close(struct search_run *run)
{
    if (!run)
        return;
    search_end(&run->search);
    outcomes_free(&run->outcomes);
    arena_free(&run->arena);
    free(run);
}

int run_tune(const struct run_setup *setup, struct run_progress *progress, struct error *error)
{
    struct search_run *run;
    int code = run_open(&run, setup, progress, error);
    run_close(run);
    return code;
}
