#include <stdlib.h>

#include "run/run_state.h"

static int measure_again(struct search_run *run, uint64_t index, enum proposer why, struct error *error)
{
    run->again = why;
    int code = run_submit(run, outcomes_find(&run->outcomes, index), true, error);
    if (!code)
        code = run_drain(run, error);
    run->again = PROPOSER_UNKNOWN;
    run_rank_remeasured(run);
    return code;
}

/* Returns the configuration to measure: the original of a duplicate, if this run counts it. */
static uint64_t measured_for(const struct search_run *run, uint64_t index)
{
    const struct outcome *outcome = outcomes_find(&run->outcomes, index);
    const struct outcome *original = outcomes_original(&run->outcomes, outcome, OUTCOME_OF_SEARCH);
    return original->marks & COUNTED ? original->key : index;
}

/* ---- Configurations that were stopped early ---- */

static bool is_censored(const struct search_run *run, const struct outcome *outcome)
{
    return outcome->marks & COUNTED && outcomes_class(&run->outcomes, outcome) == OUTCOME_CENSORED;
}

/* True if it was stopped early because it was slower than others that this run lacks: then the bound is no evidence. */
static bool is_unsettled(const struct search_run *run, const struct outcome *outcome, double limit)
{
    if (!is_censored(run, outcome))
        return false;
    const struct measurement measurement = run_searched(run, outcome);
    return !outcomes_censored_counts(&measurement, limit);
}

bool run_is_exact(const struct search_run *run, uint64_t key)
{
    const struct run_setup *setup = run->setup;
    return setup->exact || key == run->progress->default_index || (setup->incumbent && key == *setup->incumbent);
}

/* True if it was stopped early and needs a full time. */
static bool wants_time(const struct search_run *run, const struct outcome *outcome)
{
    return run_is_exact(run, outcome->key) ? is_censored(run, outcome) : is_unsettled(run, outcome, run_incumbent(run));
}

struct censored {
    uint64_t key;
    double cost; /* lower bound */
};

static int compare_censored(const void *left, const void *right)
{
    const struct censored *a = left, *b = right;
    int order = (a->cost > b->cost) - (a->cost < b->cost);
    return order ? order : (a->key > b->key) - (a->key < b->key);
}

/* Lists the configurations to measure, the most promising first, so that most others then count as slower. */
static int list_censored(const struct search_run *run, struct censored **censored, size_t *count, struct error *error)
{
    *count = 0;
    if (!(*censored = calloc(run->outcomes.count + 1, sizeof **censored)))
        return error_memory(error);
    for (size_t i = 0; i < run->outcomes.count; i++) {
        const struct outcome *outcome = &run->outcomes.items[i];
        if (!wants_time(run, outcome) ||
            (!run_is_exact(run, outcome->key) && measured_for(run, outcome->key) != outcome->key))
            continue;
        const struct measurement measurement = run_searched(run, outcome);
        (*censored)[(*count)++] = (struct censored){
            outcome->key, objective_cost(measurement_objective(&measurement), outcomes_censored_end(&measurement))};
    }
    qsort(*censored, *count, sizeof **censored, compare_censored);
    return 0;
}

/* Finds the configuration that a session begins with: the best, or the most promising that was stopped early.
 * UINT64_MAX: none. */
static int find_reference(const struct search_run *run, uint64_t *reference, struct error *error)
{
    struct censored *censored;
    size_t count;
    if (run->progress->has_best) {
        *reference = measured_for(run, run->progress->best_index);
        return 0;
    }
    int code = list_censored(run, &censored, &count, error);
    *reference = !code && count ? censored[0].key : UINT64_MAX;
    free(censored);
    return code;
}

/* ---- Continuing another session ---- */

/* True if configurations remain to be measured within the budget. */
static bool goes_on(const struct search_run *run)
{
    bool more = run_budget_left(run) && run->inside < valid_set_count(run->setup->set);
    for (size_t i = 0; i < run->recorded && !more && run_settles(run); i++)
        more = wants_time(run, &run->outcomes.items[i]);
    return run->recorded && more;
}

int run_refresh(struct search_run *run, struct error *error)
{
    const struct run_progress *progress = run->progress;
    size_t sessions = run->outcomes.session_count;
    uint64_t default_ = progress->default_index, reference = 0;
    bool worked = false;
    int code = 0;
    while (!code && !worked && goes_on(run)) {
        code = find_reference(run, &reference, error);
        if (code || reference == UINT64_MAX)
            break;
        code = measure_again(run, reference, PROPOSER_RESUME, error);
        worked = run_timed(run, outcomes_find(&run->outcomes, reference));
    }
    if (code || run->outcomes.session_count == sessions || !progress->has_default || !run_time_left(run))
        return code;
    default_ = measured_for(run, default_);
    if (outcomes_find(&run->outcomes, default_)->session + 1 == run->outcomes.session_count)
        return 0;
    return measure_again(run, default_, PROPOSER_DEFAULT, error);
}

/* ---- Settling ---- */

static int settle(struct search_run *run, uint64_t key, struct error *error)
{
    int code = run_await_room(run, error);
    struct outcome *outcome = outcomes_find(&run->outcomes, key);
    if (code || !run_settles(run) || !wants_time(run, outcome)) /* outcomes may have arrived meanwhile */
        return code;
    return run_submit(run, outcome, run_is_exact(run, key), error);
}

int run_settle(struct search_run *run, struct error *error)
{
    struct censored *censored = NULL;
    size_t count = 0;
    int code = run_settles(run) ? list_censored(run, &censored, &count, error) : 0;
    if (code || !count) {
        free(censored);
        return code;
    }
    run->again = PROPOSER_STRATEGY;
    for (size_t i = 0; i < count && !code; i++)
        code = settle(run, censored[i].key, error);
    if (!code)
        code = run_drain(run, error);
    run->again = PROPOSER_UNKNOWN;
    run_rank_remeasured(run);
    free(censored);
    return code;
}

void run_count_unsettled(struct search_run *run)
{
    struct run_progress *progress = run->progress;
    progress->unsettled = 0;
    for (size_t i = 0; i < run->outcomes.count; i++) {
        const struct outcome *outcome = &run->outcomes.items[i];
        if (!is_unsettled(run, outcome, run_least_end(run)))
            continue;
        const struct measurement measurement = run_searched(run, outcome);
        if (progress->unsettled++ &&
            !objective_better(measurement_objective(&measurement), measurement.value, progress->censored.value))
            continue;
        progress->censored = measurement;
        progress->censored_index = outcome->key;
    }
}
