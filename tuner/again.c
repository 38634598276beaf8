#include "tuner/run_state.h"

/* Waits until nothing is in flight. */
static int drain(struct search_run *run, struct error *error)
{
    int code = 0;
    while (!code && run->in_flight && run_stop_asked(run) < 2)
        code = run_collect(run, error);
    return code;
}

static int measure_again(struct search_run *run, uint64_t index, enum proposer why, struct error *error)
{
    run->again = why;
    int code = run_submit(run, outcomes_find(&run->outcomes, index), true, error);
    if (!code)
        code = drain(run, error);
    run->again = PROPOSER_UNKNOWN;
    run_rank_again(run);
    return code;
}

/* The configuration to measure: of a duplicate its original, if this run counts it. */
static uint64_t measured_for(const struct search_run *run, uint64_t index)
{
    const struct outcome *outcome = outcomes_find(&run->outcomes, index);
    const struct outcome *original = outcomes_original(&run->outcomes, outcome, OUTCOME_OF_SEARCH);
    return original->marks & COUNTED ? original->key : index;
}

/* Is there anything left to measure, within the budget? */
static bool goes_on(const struct search_run *run)
{
    const struct run_setup *setup = run->setup;
    return run->recorded && run->progress->has_best && run_budget_left(run) &&
           run->inside < valid_set_count(setup->set);
}

int run_refresh(struct search_run *run, struct error *error)
{
    const struct run_progress *progress = run->progress;
    size_t sessions = run->outcomes.session_count;
    uint64_t default_ = progress->default_index;
    bool worked = false;
    int code = 0;
    while (!code && !worked && goes_on(run)) {
        uint64_t best = measured_for(run, progress->best_index);
        code = measure_again(run, best, PROPOSER_RESUME, error);
        worked = run_timed(run, outcomes_find(&run->outcomes, best));
    }
    if (code || run->outcomes.session_count == sessions || !progress->has_default || !run_time_left(run))
        return code;
    default_ = measured_for(run, default_);
    if (outcomes_find(&run->outcomes, default_)->session + 1 == run->outcomes.session_count)
        return 0;
    return measure_again(run, default_, PROPOSER_DEFAULT, error);
}

/* Was the outcome stopped early against a time that proved too low? It may be as fast as the best one left. */
static bool stopped_wrongly(const struct search_run *run, const struct outcome *outcome)
{
    if (!(outcome->marks & COUNTED) || outcome->duplicate != OUTCOME_NO_DUPLICATE)
        return false;
    const struct measurement measurement = run_searched(run, outcome);
    return measurement_class(&measurement) == OUTCOME_BOUND &&
           !objective_better(measurement_objective(&measurement), run_incumbent(run),
                             measurement_better_end(&measurement));
}

int run_settle(struct search_run *run, struct error *error)
{
    const struct evaluator *evaluator = run->setup->evaluator;
    const struct run_progress *progress = run->progress;
    double undone = run->outcomes.undone;
    int code = 0;
    if (!evaluator->ops->incumbent || undone == 0 ||
        (progress->has_best &&
         objective_better(measurement_objective(&progress->best), measurement_worse_end(&progress->best), undone)))
        return 0;
    run->again = PROPOSER_STRATEGY;
    for (size_t i = 0; i < run->outcomes.count && !code && run_time_left(run); i++) {
        if (!stopped_wrongly(run, &run->outcomes.items[i]))
            continue;
        while (!code && !evaluator->ops->room(evaluator->state, false) && run_stop_asked(run) < 2)
            code = run_collect(run, error);
        if (!code && run_time_left(run))
            code = run_submit(run, &run->outcomes.items[i], false, error);
    }
    if (!code)
        code = drain(run, error);
    run->again = PROPOSER_UNKNOWN;
    run_rank_again(run);
    return code;
}
