/* Plans a run: its strategy and expected time. */
#include <math.h>

#include "base/clock.h"
#include "base/random.h"
#include "evaluate/process_medians.h"
#include "run/run_state.h"

/* Roughly the most configurations that a run without known times completes. */
enum { EXHAUSTIBLE = 1000000 };
/* Up to this number, configurations are evaluated without a sample, which would contain most of them. */
enum { FEW = 2 * RUN_SAMPLE };

static int64_t limit_ns(const struct run_setup *setup)
{
    return setup->max_time_ns ? setup->max_time_ns : RUN_AUTOMATIC_S * INT64_C(1000000000);
}

static double elapsed_s(const struct search_run *run)
{
    return (double)(run_now(run) - run->start_ns) * 1e-9;
}

static uint64_t ahead(const struct search_run *run)
{
    const struct run_progress *progress = run->progress;
    return progress->total > progress->evaluated ? progress->total - progress->evaluated : 0;
}

/* Returns the expected time of the whole search, from its start. */
static double whole_s(const struct search_run *run, const struct estimate *estimate)
{
    return elapsed_s(run) + estimate_s(estimate, run->setup->evaluator, ahead(run));
}

void run_limit(struct search_run *run, int64_t limit_ns)
{
    const struct evaluator *evaluator = run->setup->evaluator;
    struct run_plan *plan = &run->progress->plan;
    if (plan->limit_ns != limit_ns)
        evaluator->ops->limit(evaluator->state, limit_ns ? run->start_ns + limit_ns : INT64_MAX);
    plan->limit_ns = limit_ns;
}

static void evaluate_everything(struct search_run *run)
{
    run->progress->plan.strategy = &strategy_exhaustive;
    run_limit(run, run->setup->max_time_ns);
}

/* Chooses between evaluating everything and a search that ends in time. */
static void decide(struct search_run *run, const struct estimate *estimate)
{
    struct run_plan *plan = &run->progress->plan;
    plan->open = false;
    plan->whole_s = whole_s(run, estimate);
    if (isnan(plan->whole_s) || plan->whole_s <= (double)limit_ns(run->setup) * 1e-9)
        evaluate_everything(run);
}

bool run_may_exhaust(const struct valid_set *set, uint64_t max_evals)
{
    return !max_evals || max_evals >= valid_set_count(set);
}

bool run_will_exhaust(const struct valid_set *set, uint64_t max_evals)
{
    return run_may_exhaust(set, max_evals) && valid_set_count(set) <= FEW;
}

int64_t run_playoff_ns(size_t finalists, size_t processes, bool sustained)
{
    return llround(process_medians_seconds(finalists + 1, processes, sustained) * 1e9);
}

void run_sample(const struct valid_set *set, uint64_t seed, uint64_t sample[RUN_SAMPLE])
{
    struct random random;
    random_seed(&random, seed);
    for (size_t i = 0; i < RUN_SAMPLE; i++)
        sample[i] = valid_set_sample(set, &random);
}

void run_plan_begin(struct search_run *run)
{
    const struct run_setup *setup = run->setup;
    struct run_plan *plan = &run->progress->plan;
    uint64_t valid = valid_set_count(setup->set);
    *plan = (struct run_plan){
        .strategy = setup->strategy, .known = run->progress->evaluated, .whole_s = NAN, .left_s = NAN};
    run_limit(run, setup->max_time_ns);
    if (setup->max_time_ns && setup->finalists)
        run->progress->announced_ns = setup->end_ns
                                          ? setup->end_ns - clock_now_ns() - setup->max_time_ns
                                          : run_playoff_ns(setup->finalists < valid ? setup->finalists : valid,
                                                           setup->playoff_processes, setup->sustained);
    if (setup->automatic && run_may_exhaust(setup->set, setup->max_evals)) {
        run_limit(run, limit_ns(setup));
        plan->open = ahead(run) > FEW && valid <= EXHAUSTIBLE;
        if (ahead(run) <= FEW)
            evaluate_everything(run);
        else if (run->estimate.count >= RUN_SAMPLE && !isnan(whole_s(run, &run->estimate)))
            decide(run, &run->estimate);
        else if (plan->open)
            run_sample(setup->set, setup->seed, run->sample);
    }
    run->estimated = ahead(run) <= FEW || !isnan(plan->whole_s);
    run_send(run, (struct run_event){.kind = RUN_PLAN});
}

/* Adds up the sample; false: some outcomes are missing. */
static bool take_sample(const struct search_run *run, struct estimate *estimate)
{
    for (size_t i = 0; i < RUN_SAMPLE; i++) {
        const struct outcome *outcome = outcomes_find(&run->outcomes, run->sample[i]);
        if (!outcome || !outcome->last)
            return false;
        const struct measurement measurement = run_searched(run, outcome);
        estimate_note(estimate, &measurement);
    }
    return true;
}

bool run_plan_follow(struct search_run *run)
{
    struct run_plan *plan = &run->progress->plan;
    const struct strategy_ops *before = plan->strategy;
    struct estimate sample = {0};
    if (plan->open ? !take_sample(run, &sample) : run->estimated || run->estimate.count < RUN_SAMPLE)
        return false;
    run->estimated = true;
    if (plan->open)
        decide(run, &sample);
    else
        plan->whole_s = whole_s(run, &run->estimate);
    if (plan->strategy != before || !isnan(plan->whole_s))
        run_send(run, (struct run_event){.kind = RUN_PLAN});
    return plan->strategy != before;
}

void run_plan_look(struct search_run *run)
{
    struct run_plan *plan = &run->progress->plan;
    plan->left_s = estimate_s(&run->estimate, run->setup->evaluator, ahead(run));
    if (plan->limit_ns)
        plan->left_s = fmin(plan->left_s, fmax((double)plan->limit_ns * 1e-9 - elapsed_s(run), 0));
}
