#include "run/run_state.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"

/* ---- Known outcomes ---- */

/* Loads recorded outcomes. A row without a time (a timeout, for instance) is as valid as a new one. */
int run_load(struct search_run *run, struct error *error)
{
    const struct run_setup *setup = run->setup;
    if (!setup->journal)
        return 0;
    int code = rows_outcomes(setup->space, setup->set, setup->journal, &run->outcomes, &run->arena, error);
    run->recorded = run->outcomes.count;
    for (size_t i = 0; i < run->recorded; i++)
        run->inside += !(run->outcomes.items[i].marks & ROWS_OUTSIDE);
    return code;
}

struct measurement run_searched(const struct search_run *run, const struct outcome *outcome)
{
    return outcomes_measurement(&run->outcomes, outcome, OUTCOME_OF_SEARCH);
}

bool run_timed(const struct search_run *run, const struct outcome *outcome)
{
    return outcome && outcome->marks & COUNTED && outcomes_class(&run->outcomes, outcome) == OUTCOME_TIMED;
}

static const struct objective *run_objective(const struct search_run *run)
{
    return run->setup->objective ? run->setup->objective : objective_default();
}

/* ---- Outcomes ---- */

int run_record(struct search_run *run, uint64_t index, const struct measurement *measurement, const char *samples,
               struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    if (!run->setup->journal)
        return 0;
    valid_set_get(run->setup->set, index, choices);
    return rows_append(run->setup->journal, run->setup->space, choices, measurement, samples, error);
}

int run_learn(struct search_run *run, uint64_t index, uint64_t original, const struct measurement *measurement,
              bool final, struct error *error)
{
    struct measurement *kept = arena_alloc(&run->arena, sizeof *kept);
    if (!kept)
        return error_memory(error);
    *kept = *measurement;
    if (final)
        return outcomes_add_final(&run->outcomes, index, kept, error);
    return outcomes_add(&run->outcomes, index, original, kept, error);
}

void run_tell(struct search_run *run, const struct outcome *outcome)
{
    const struct measurement measurement = run_searched(run, outcome);
    enum outcome_class class = measurement_class(&measurement);
    const struct objective *objective = measurement_objective(&measurement);
    bool ok = class != OUTCOME_FAILED && objective_is_value(objective, measurement.value);
    double end = measurement_better_end(&measurement);
    struct cost cost = {.ok = ok,
                        .censored = class == OUTCOME_CENSORED,
                        .value = measurement_cost(&measurement),
                        .least = isnan(end) ? measurement_cost(&measurement) : objective_cost(objective, end),
                        .cause = ok ? 0 : measurement.status,
                        .effort = estimate_effort_s(&run->estimate, run->setup->evaluator, &measurement)};
    search_tell(&run->search, outcome->key, &cost);
}

int64_t run_now(const struct search_run *run)
{
    const struct evaluator *evaluator = run->setup->evaluator;
    return evaluator->ops->now(evaluator->state);
}

void run_send(struct search_run *run, struct run_event event)
{
    event.progress = run->progress;
    run->progress->elapsed_ns = run_now(run) - run->start_ns;
    run->progress->in_flight = run->in_flight;
    run_plan_look(run);
    int code = run->setup->on ? run->setup->on(run->setup->context, &event, run->error) : 0;
    run->told = run->told ? run->told : code;
}

int run_stop_asked(const struct search_run *run)
{
    const struct run_setup *setup = run->setup;
    bool over = setup->end_ns && clock_now_ns() >= setup->end_ns;
    return run->told || over ? 2 : setup->stop ? *setup->stop : 0;
}

double run_least_end(const struct search_run *run)
{
    return run->progress->has_best ? run->least_end : objective_worst(run_objective(run));
}

double run_incumbent(const struct search_run *run)
{
    return run->progress->has_best ? run->incumbent : objective_worst(run_objective(run));
}

/* Keeps the better of two limits; without a best, the new one. */
static void improve(const struct search_run *run, double *limit, double by)
{
    if (!run->progress->has_best || objective_better(run_objective(run), by, *limit))
        *limit = by;
}

/* Updates both limits: the best may have worse ones than the second, whose interval is shorter. */
static void improve_limits(struct search_run *run, const struct measurement *measurement)
{
    double end = measurement_worse_end(measurement);
    if (isnan(end)) { /* another tool's journal may lack intervals */
        improve(run, &run->least_end, measurement->value);
        improve(run, &run->incumbent, measurement->value);
        return;
    }
    improve(run, &run->least_end, end);
    improve(run, &run->incumbent, run->setup->finalists ? outcomes_reach(measurement) : end);
}

/* Returns true for a new best. */
static bool add_rank(struct search_run *run, const struct outcome *outcome, const struct measurement *measurement)
{
    struct run_progress *progress = run->progress;
    progress->counts[measurement->status]++;
    if (!measurement_timed(measurement))
        return false;
    if (outcome->key == progress->default_index) {
        progress->has_default = true;
        progress->default_ = *measurement;
    }
    improve_limits(run, measurement);
    if (progress->has_best && !measurement_better(measurement, outcome->key, &progress->best, progress->best_index))
        return false;
    progress->has_best = true;
    progress->best = *measurement;
    progress->best_index = outcome->key;
    return true;
}

/* Lets the evaluator stop slower configurations early. */
static void tell_limit(struct search_run *run)
{
    const struct evaluator *evaluator = run->setup->evaluator;
    evaluator->ops->incumbent(evaluator->state, EVALUATOR_ANY_DEVICE, run_incumbent(run));
}

bool run_rank(struct search_run *run, const struct outcome *outcome, const struct measurement *measurement)
{
    double before = run_incumbent(run);
    bool best = add_rank(run, outcome, measurement);
    if (run_incumbent(run) != before)
        tell_limit(run);
    return best;
}

void run_rank_remeasured(struct search_run *run)
{
    struct run_progress *progress = run->progress;
    memset(progress->counts, 0, sizeof progress->counts);
    progress->has_best = progress->has_default = false;
    for (size_t i = 0; i < run->outcomes.count; i++) {
        const struct outcome *outcome = &run->outcomes.items[i];
        if (!(outcome->marks & COUNTED))
            continue;
        const struct measurement measurement = run_searched(run, outcome);
        add_rank(run, outcome, &measurement);
    }
    tell_limit(run);
}

void run_count(struct search_run *run, struct outcome *outcome, bool fresh)
{
    struct run_progress *progress = run->progress;
    if (outcome->marks & COUNTED)
        return;
    outcome->marks |= COUNTED | (fresh ? FRESH : 0);
    const struct measurement measurement = run_searched(run, outcome);
    bool duplicate = outcome->last->status == STATUS_DUPLICATE;
    progress->evaluated++;
    progress->fresh += fresh;
    progress->waited += !duplicate;
    progress->discarded += measurement.discarded;
    estimate_note(&run->estimate, &measurement);
    if (fresh)
        estimate_note_compiled(&run->estimate, outcome->last);
    run->charged -= duplicate; /* duplicates are not measured and cost no budget */
    if (run_rank(run, outcome, &measurement))
        progress->waited = 0;
    run_send(run, (struct run_event){
                      .kind = RUN_OUTCOME, .index = outcome->key, .measurement = &measurement, .fresh = fresh});
}

void run_adopt(struct search_run *run)
{
    for (size_t i = 0; i < run->recorded; i++) {
        struct outcome *outcome = &run->outcomes.items[i];
        if (outcome->marks & ROWS_OUTSIDE)
            continue;
        outcome->marks |= CHARGED;
        run->charged++;
        run_count(run, outcome, false);
    }
    if (run->progress->total < run->progress->evaluated)
        run->progress->total = run->progress->evaluated;
}

int64_t run_left_ns(const struct search_run *run)
{
    int64_t limit_ns = run->progress->plan.limit_ns;
    return limit_ns ? limit_ns - (run_now(run) - run->start_ns) : INT64_MAX;
}

bool run_time_left(const struct search_run *run)
{
    int64_t left_ns = run_left_ns(run);
    return !run_stop_asked(run) && !run->closing && left_ns > 0 && left_ns >= estimate_compile_ns(&run->estimate);
}

static bool reached_target(const struct search_run *run)
{
    const struct run_progress *progress = run->progress;
    return run->setup->target != 0 && progress->has_best &&
           !objective_better(run_objective(run), run->setup->target, progress->best.value);
}

bool run_budget_left(const struct search_run *run)
{
    const struct run_setup *setup = run->setup;
    return run_time_left(run) && (!setup->max_evals || run->charged < setup->max_evals) && !reached_target(run) &&
           (!setup->patience || run->progress->waited < setup->patience);
}

bool run_settles(const struct search_run *run)
{
    return run->setup->evaluator->ops->stops_early && run_time_left(run) && !reached_target(run);
}
