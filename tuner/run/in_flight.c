/* Configurations in flight: from their submission to the evaluator until their outcomes are recorded. */
#include <math.h>

#include "base/clock.h"
#include "base/samples_text.h"
#include "evaluate/kept_samples.h"
#include "run/run_state.h"

enum { OUTCOMES_AT_ONCE = 64, LOOK_NS = 100000000 };

int run_submit(struct search_run *run, struct outcome *outcome, bool exact, struct error *error)
{
    const struct evaluator *evaluator = run->setup->evaluator;
    outcome->marks |= IN_FLIGHT;
    run->in_flight++;
    return evaluator->ops->submit(evaluator->state, outcome->key, exact, EVALUATOR_ANY_DEVICE, error);
}

static enum proposer proposer_of(const struct search_run *run, uint64_t index)
{
    if (run->again)
        return run->again;
    if (!run->search.strategy)
        return run->proposer;
    if (index == run->progress->default_index)
        return PROPOSER_DEFAULT;
    if (run->setup->incumbent && index == *run->setup->incumbent)
        return PROPOSER_INCUMBENT;
    for (size_t i = 0; i < run->setup->first_count; i++)
        if (run->setup->first[i] == index)
            return PROPOSER_WARM_START;
    return outcomes_find(&run->outcomes, index)->marks & EXCHANGED ? PROPOSER_WARM_START : PROPOSER_STRATEGY;
}

/* Processes an outcome after it was recorded. */
static int take(struct search_run *run, const struct evaluation *done, struct error *error)
{
    const struct measurement *measurement = &done->measurement;
    struct run_progress *progress = run->progress;
    struct outcome *outcome = outcomes_find(&run->outcomes, done->index);
    bool censored = run->again && outcomes_class(&run->outcomes, outcome) == OUTCOME_CENSORED;
    if (run->again)
        progress->counts[run_searched(run, outcome).status]--;
    int code = run_learn(run, done->index, done->original, measurement, false, error);
    if (code)
        return code;
    if (!run->again) {
        run_count(run, outcome, true);
        run_tell(run, outcome);
        return 0;
    }
    const struct measurement now_known = run_searched(run, outcome);
    progress->discarded += measurement->discarded;
    if (censored && !(outcome->marks & FRESH)) { /* so far, the journal had only a bound */
        progress->fresh++;
        outcome->marks |= FRESH;
    }
    run_rank(run, outcome, &now_known);
    run_send(run,
             (struct run_event){.kind = RUN_OUTCOME, .index = done->index, .measurement = measurement, .fresh = true});
    return 0;
}

/* Withdraws what the time limit leaves no time for: configurations in the queue once it is too short for a
 * compilation, and at the limit all that are not being measured. */
static int keep_time(struct search_run *run, struct error *error)
{
    const struct evaluator *evaluator = run->setup->evaluator;
    int64_t left_ns = run_left_ns(run);
    enum evaluation_stage stage = left_ns > 0 ? STAGE_WAITING : STAGE_UNMEASURED;
    if (left_ns > 0 && left_ns >= estimate_compile_ns(&run->estimate))
        return 0;
    run->closing = true;
    if (run->withdrawn_stages >> stage)
        return 0;
    run->withdrawn_stages |= 1U << stage;
    return evaluator->ops->withdraw(evaluator->state, stage, error);
}

/* Forgets a configuration as if it had never been requested. */
static void forget(struct search_run *run, struct outcome *outcome)
{
    run->progress->withdrawn += !outcome->last;
    if (outcome->last || !(outcome->marks & CHARGED))
        return;
    outcome->marks &= ~(unsigned)CHARGED;
    run->charged--;
}

/* Returns the kept samples of an outcome, with its correction. */
static int take_samples(const struct search_run *run, const struct evaluation *done, struct text *samples,
                        struct error *error)
{
    struct text raw = {0};
    const double factor = done->measurement.correction;
    kept_samples_take(run->setup->kept, done->index, done->device, isnan(factor) ? samples : &raw);
    int code = isnan(factor) ? 0 : samples_text_multiply(samples, text_string(&raw), factor, error);
    samples->failed |= raw.failed;
    text_free(&raw);
    return code || !samples->failed ? code : error_memory(error);
}

/* Records and processes an outcome. One that is missing from the journal stays unknown: running the same command again
 * measures it. */
static int receive(struct search_run *run, struct evaluation *done, struct error *error)
{
    done->measurement.proposer = proposer_of(run, done->index);
    struct text samples = {0};
    int code = take_samples(run, done, &samples, error);
    if (!code)
        code = run_record(run, done->index, &done->measurement, text_string(&samples), error);
    text_free(&samples);
    if (done->log)
        run_send(run, (struct run_event){.kind = RUN_LOG, .index = done->index, .log = done->log});
    return code ? code : take(run, done, error);
}

/* Waits briefly and processes the outcomes that arrive. */
int run_collect(struct search_run *run, struct error *error)
{
    const struct evaluator *evaluator = run->setup->evaluator;
    struct evaluation done[OUTCOMES_AT_ONCE];
    size_t count = 0;
    int code = keep_time(run, error);
    int64_t left_ns = run_left_ns(run), look_ns = left_ns > 0 && left_ns < LOOK_NS ? left_ns : LOOK_NS;
    if (code)
        return code;
    code = evaluator->ops->wait(evaluator->state, clock_now_ns() + look_ns, done, OUTCOMES_AT_ONCE, &count, error);
    for (size_t i = 0; i < count; i++) {
        /* Record the whole batch even if one row fails; report the first error. */
        int received = done[i].withdrawn ? 0 : receive(run, &done[i], error);
        struct outcome *outcome = outcomes_find(&run->outcomes, done[i].index);
        if (done[i].withdrawn)
            forget(run, outcome);
        run->in_flight--;
        outcome->marks &= ~(unsigned)IN_FLIGHT;
        if (!code)
            code = received;
    }
    if (count == 0)
        run_send(run, (struct run_event){.kind = RUN_TICK});
    return code;
}

int run_await_room(struct search_run *run, struct error *error)
{
    const struct evaluator *evaluator = run->setup->evaluator;
    int code = 0;
    while (!code && !evaluator->ops->room(evaluator->state, false) && run_stop_asked(run) < 2)
        code = run_collect(run, error);
    return code;
}

int run_drain(struct search_run *run, struct error *error)
{
    int code = 0;
    while (!code && run->in_flight && run_stop_asked(run) < 2)
        code = run_collect(run, error);
    return code;
}
