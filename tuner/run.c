#include "tuner/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "evaluate/rows.h"
#include "tuner/known.h"
#include "tuner/playoff.h"

enum { BATCH = 64, LOOK_NS = 100000000, PLAYOFF_TRIES = 2 };

struct run {
    const struct run_setup *setup;
    struct run_progress *progress;
    void *strategy;
    struct known known;
    size_t in_flight;
    bool lost_one;      /* a finalist failed in the play-off */
    bool exhausted;     /* the strategy has nothing more to ask for now */
    size_t begun;       /* of setup->first: taken up */
    bool searching;     /* the strategy is asked */
    uint64_t *recorded; /* what the journal knows of the search, in its order */
    size_t recorded_count;
    double *facts;    /* by fact and configuration; NULL: nobody wants them */
    uint64_t charged; /* distinct configurations that this run has taken up */
    int64_t start_ns;
};

/* ---- Known outcomes ---- */

/* What an earlier run recorded. A row without an outcome of its own kind (a timeout is one) is as good as a fresh one.
 */
static int load_journal(struct run *run, struct error *error)
{
    const struct run_setup *setup = run->setup;
    size_t width = setup->space->parameter_count;
    uint32_t *choices;
    if (!setup->journal)
        return 0;
    int code = rows_choices(setup->space, setup->journal, &choices, error);
    if (code)
        return code;
    run->recorded = calloc(journal_row_count(setup->journal) + 1, sizeof *run->recorded);
    if (!run->recorded)
        code = error_memory(error);
    for (size_t row = 0; row < journal_row_count(setup->journal) && !code; row++) {
        const struct journal_row recorded = journal_get_row(setup->journal, row);
        const struct measurement *measurement = &recorded.measurement;
        uint64_t index;
        struct known_entry *entry;
        if (!valid_set_find(setup->set, choices + row * width, &index))
            continue;
        if (measurement->playoff != PLAYOFF_NONE && measurement->status == STATUS_OK) {
            code = known_put_final(&run->known, index, measurement, error);
            continue;
        }
        if (!(entry = known_find(&run->known, index))) {
            code = error_memory(error);
            break;
        }
        if (entry->state == ENTRY_FREE)
            run->recorded[run->recorded_count++] = index;
        known_put(&run->known, entry, index);
        entry->state = ENTRY_KNOWN;
        entry->measurement = *measurement; /* of one that failed in the play-off, that is the last word */
    }
    free(choices);
    return code;
}

/* ---- Outcomes ---- */

static int record(struct run *run, uint64_t index, const struct measurement *measurement, struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    if (!run->setup->journal)
        return 0;
    valid_set_get(run->setup->set, index, choices);
    return rows_append(run->setup->journal, run->setup->space, choices, measurement, error);
}

static void tell(struct run *run, const struct known_entry *entry)
{
    const struct measurement *measurement = &entry->measurement;
    bool bound = measurement->status == STATUS_SLOWER;
    bool ok = (measurement_timed(measurement) || bound) && measurement_is_time(measurement->time_ns);
    struct cost cost = {.ok = ok, .bound = bound, .value = measurement->time_ns};
    if (run->setup->strategy->tell)
        run->setup->strategy->tell(run->strategy, entry->index, &cost);
}

/* The evaluator's time: a replay's seconds are those that were recorded. */
static int64_t now(const struct run *run)
{
    const struct evaluator *evaluator = run->setup->evaluator;
    return evaluator->ops->now ? evaluator->ops->now(evaluator->state) : clock_now_ns();
}

static void look(struct run *run, const struct known_entry *entry, bool fresh)
{
    struct run_progress *progress = run->progress;
    progress->elapsed_ns = now(run) - run->start_ns;
    if (run->setup->observe)
        run->setup->observe(run->setup->context, progress, entry ? entry->index : 0, entry ? &entry->measurement : NULL,
                            fresh);
}

static int stop_asked(const struct run *run)
{
    return run->setup->stop ? *run->setup->stop : 0;
}

/* Counts an outcome that this run has asked for, whoever measured it. */
static void count_outcome(struct run *run, struct known_entry *entry, bool fresh)
{
    struct run_progress *progress = run->progress;
    const struct measurement *measurement = &entry->measurement;
    if (entry->counted)
        return;
    entry->counted = true;
    progress->evaluated++;
    progress->fresh += fresh;
    progress->waited += measurement->status != STATUS_DUPLICATE;
    progress->counts[measurement->status]++;
    progress->discarded += measurement->discarded;
    if (measurement->status == STATUS_DUPLICATE) /* the budget is for what is measured */
        run->charged--;
    if (entry->index == progress->standard_index && measurement_timed(measurement)) {
        progress->has_standard = true;
        progress->standard = *measurement;
    }
    if (measurement_timed(measurement) &&
        (!progress->has_best || measurement_better(measurement, entry->index, &progress->best, progress->best_index))) {
        progress->has_best = true;
        progress->waited = 0;
        progress->best = *measurement;
        progress->best_index = entry->index;
        if (run->setup->evaluator->ops->incumbent)
            run->setup->evaluator->ops->incumbent(run->setup->evaluator->state,
                                                  run->setup->finalists ? playoff_reach(measurement->high_ns)
                                                                        : measurement->high_ns);
    }
    look(run, entry, fresh);
}

/* One configuration that somebody wants: known already, in flight already, or submitted now. */
static int want(struct run *run, uint64_t index, struct error *error)
{
    struct known_entry *entry = known_find(&run->known, index);
    if (!entry)
        return error_memory(error);
    bool new = entry->state == ENTRY_FREE;
    known_put(&run->known, entry, index);
    if (!entry->charged) {
        entry->charged = true;
        run->charged++;
    }
    if (entry->state == ENTRY_KNOWN) {
        count_outcome(run, entry, false);
        tell(run, entry);
        return 0;
    }
    if (!new)
        return 0; /* told when it ends */
    entry->state = ENTRY_IN_FLIGHT;
    run->in_flight++;
    return run->setup->evaluator->ops->submit(run->setup->evaluator->state, index,
                                              index == run->progress->standard_index, error);
}

/* What an earlier run recorded counts. */
static int adopt_recorded(struct run *run, struct error *error)
{
    for (size_t i = 0; i < run->recorded_count; i++) {
        struct known_entry *entry = known_find(&run->known, run->recorded[i]);
        if (!entry)
            return error_memory(error);
        entry->charged = true;
        run->charged++;
        count_outcome(run, entry, false);
    }
    if (run->progress->total < run->progress->evaluated)
        run->progress->total = run->progress->evaluated;
    return 0;
}

static bool budget_left(const struct run *run)
{
    const struct run_setup *setup = run->setup;
    return !stop_asked(run) && (!setup->max_evals || run->charged < setup->max_evals) &&
           (!setup->max_time_ns || now(run) - run->start_ns < setup->max_time_ns) &&
           (!setup->target_ns || !run->progress->has_best || run->progress->best.time_ns > setup->target_ns) &&
           (!setup->patience || run->progress->waited < setup->patience);
}

/* ---- Facts ---- */

/* The strategy wants to know what the compiler says, and there is something to search. */
static bool wants_facts(const struct run *run, const void *options)
{
    const struct run_setup *setup = run->setup;
    return setup->strategy->wants_facts && setup->strategy->wants_facts(options) && setup->evaluator->ops->facts &&
           run->recorded_count < valid_set_count(setup->set);
}

static int check_facts(const struct run *run, const void *options, struct error *error)
{
    uint64_t valid = valid_set_count(run->setup->set);
    if (!wants_facts(run, options) || valid <= RUN_FACTS_MAX)
        return 0;
    int code =
        error_set(error, ERROR_USAGE, "%s: facts of %llu configurations would have to be compiled for, at most %d",
                  run->setup->strategy->name, (unsigned long long)valid, RUN_FACTS_MAX);
    error_hint(error, "narrow the space with --set, or search without facts");
    return code;
}

/* What the compiler says of all configurations, as far as the budget has time for it, and unless it is used up. */
static int learn_facts(struct run *run, const void *options, struct error *error)
{
    const struct run_setup *setup = run->setup;
    const struct evaluator *evaluator = setup->evaluator;
    uint64_t valid = valid_set_count(setup->set);
    int64_t end_ns;
    bool more = true;
    int code = 0;
    if (!wants_facts(run, options) || !budget_left(run))
        return 0;
    if (!setup->max_time_ns || __builtin_add_overflow(run->start_ns, setup->max_time_ns, &end_ns))
        end_ns = INT64_MAX;
    run->facts = malloc(CODE_FACTS * (size_t)valid * sizeof *run->facts);
    if (!run->facts)
        return error_memory(error);
    for (uint64_t i = 0; i < CODE_FACTS * valid; i++)
        run->facts[i] = NAN;
    while (!code && more && stop_asked(run) < 2) {
        code = evaluator->ops->facts(evaluator->state, end_ns, run->facts, &run->progress->known, &more, error);
        run->progress->known_ns = now(run) - run->start_ns;
        look(run, NULL, false);
    }
    return code;
}

/* ---- The loop ---- */

/* The next configurations to evaluate: those that come first, then what the strategy names. One that learns waits for
 * what comes first, to begin where that points. */
static int next(struct run *run, uint64_t *configs, size_t room, size_t *count, struct error *error)
{
    const struct run_setup *setup = run->setup;
    *count = 0;
    while (run->begun < setup->first_count && *count < room)
        configs[(*count)++] = setup->first[run->begun++];
    if (*count)
        return 0;
    run->searching |= !setup->first_count || !setup->strategy->tell || run->in_flight == 0;
    if (!run->searching)
        return 0;
    int code = setup->strategy->ask(run->strategy, configs, room, count, error);
    run->exhausted = *count == 0;
    return code;
}

/* Keeps the evaluator full. */
static int ask(struct run *run, struct error *error)
{
    const struct run_setup *setup = run->setup;
    int code = 0;
    run->exhausted = false;
    while (!code && budget_left(run)) {
        uint64_t configs[BATCH];
        size_t room = setup->evaluator->ops->room(setup->evaluator->state);
        if (room > BATCH)
            room = BATCH;
        if (setup->max_evals && room > setup->max_evals - run->charged)
            room = (size_t)(setup->max_evals - run->charged);
        if (room == 0)
            break;
        size_t count = 0;
        code = next(run, configs, room, &count, error);
        if (code || count == 0)
            break;
        for (size_t i = 0; i < count && !code; i++)
            code = want(run, configs[i], error);
    }
    return code;
}

static enum proposer proposer_of(const struct run *run, uint64_t index)
{
    if (index == run->progress->standard_index)
        return PROPOSER_DEFAULT;
    for (size_t i = 0; i < run->setup->first_count; i++)
        if (run->setup->first[i] == index)
            return PROPOSER_WARM_START;
    return PROPOSER_STRATEGY;
}

/* Waits a little and handles what has ended. */
static int collect(struct run *run, struct error *error)
{
    const struct evaluator *evaluator = run->setup->evaluator;
    struct evaluation done[BATCH];
    size_t count = 0;
    int code = evaluator->ops->wait(evaluator->state, clock_now_ns() + LOOK_NS, done, BATCH, &count, error);
    for (size_t i = 0; i < count; i++) {
        done[i].measurement.proposer = proposer_of(run, done[i].index);
        /* All of a batch is recorded even when one of them cannot be: the first error is the one that is reported. */
        int recorded = record(run, done[i].index, &done[i].measurement, error), kept = 0;
        if (done[i].log && run->setup->keep_log)
            kept = run->setup->keep_log(run->setup->log_context, done[i].index, done[i].log, error);
        if (!code)
            code = recorded ? recorded : kept;
        struct known_entry *entry = known_find(&run->known, done[i].index);
        run->in_flight--;
        entry->state = ENTRY_KNOWN;
        entry->measurement = done[i].measurement;
        /* What the journal does not have is not told to anybody: the same command measures it again. */
        if (!recorded) {
            count_outcome(run, entry, true);
            tell(run, entry);
        }
    }
    if (count == 0)
        look(run, NULL, false);
    return code;
}

/* The strategy is told what an earlier run recorded before it is asked: it goes on from there. */
static int loop(struct run *run, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < run->recorded_count && !code; i++) {
        const struct known_entry *entry = known_find(&run->known, run->recorded[i]);
        if (entry)
            tell(run, entry);
        else
            code = error_memory(error);
    }
    if (!code && run->progress->standard_index != UINT64_MAX && !stop_asked(run))
        code = want(run, run->progress->standard_index, error);
    while (!code && stop_asked(run) < 2) {
        code = ask(run, error);
        if (code || (run->in_flight == 0 && (run->exhausted || !budget_left(run))))
            break;
        if (run->in_flight)
            code = collect(run, error);
    }
    return code;
}

/* ---- The play-off ---- */

/* Measures the finalists anew, all of them together. One that fails loses its place for good. */
static int play(struct run *run, const uint64_t *indices, size_t count, bool *played, struct error *error)
{
    const struct evaluator *evaluator = run->setup->evaluator;
    struct measurement finals[RUN_FINALISTS_MAX + 1];
    int code = 0;
    *played = false;
    for (int tries = 0; tries < PLAYOFF_TRIES && !*played && !code && stop_asked(run) < 2; tries++)
        code = evaluator->ops->playoff(evaluator->state, indices, count, finals, played, error);
    for (size_t i = 0; i < count && !code && *played; i++) {
        struct known_entry *entry = known_find(&run->known, indices[i]);
        const struct measurement *final = &finals[i];
        finals[i].proposer = entry->measurement.proposer;
        run->progress->discarded += final->discarded;
        if (final->status == STATUS_OK && isnan(final->time_ns))
            continue; /* another one broke the play-off */
        if (final->status == STATUS_OK) {
            code = known_put_final(&run->known, indices[i], final, error);
        } else {
            run->progress->counts[entry->measurement.status]--;
            run->progress->counts[final->status]++;
            entry->measurement = *final;
            run->lost_one = true;
            if (indices[i] == run->progress->standard_index)
                run->progress->has_standard = false;
        }
        if (!code)
            code = record(run, indices[i], final, error);
        if (!code && run->setup->observe)
            run->setup->observe(run->setup->context, run->progress, indices[i], final, true);
    }
    return code;
}

/* The finalists, and behind them the default when it is none: the speed-up over it is worth the same care. */
static size_t gather(const struct run *run, uint64_t *indices, size_t *finalists)
{
    const struct run_progress *progress = run->progress;
    size_t count = *finalists = playoff_pick(&run->known, run->setup->finalists, indices);
    bool has_standard = !progress->has_standard || progress->standard.status != STATUS_OK;
    for (size_t i = 0; i < count; i++)
        has_standard |= indices[i] == progress->standard_index;
    if (!has_standard)
        indices[count++] = progress->standard_index;
    return count;
}

/* The winner of the play-off or, when there was none, of the search: without those that failed since. */
static void crown(struct run *run, const uint64_t *indices, size_t finalists, bool played)
{
    struct run_progress *progress = run->progress;
    const struct measurement *standard = known_find_final(&run->known, progress->standard_index);
    size_t tied = 0, winner = played ? playoff_winner(&run->known, indices, finalists, &tied) : SIZE_MAX;
    if (finalists == 0) {
        progress->has_best = !run->lost_one;
    } else if (winner == SIZE_MAX) {
        progress->best_index = indices[0];
        progress->best = known_find(&run->known, indices[0])->measurement;
    } else {
        progress->best_index = indices[winner];
        progress->best = *known_find_final(&run->known, indices[winner]);
        progress->finalists = finalists;
        progress->tied = tied;
    }
    if (progress->has_standard && standard)
        progress->standard = *standard;
}

/* Repeats while a finalist fails: then the others have no times yet. What an earlier run has played off stays. */
static int play_off(struct run *run, struct error *error)
{
    uint64_t indices[RUN_FINALISTS_MAX + 1];
    size_t finalists = 0;
    int code = 0;
    bool played = true, missing = true;
    if (!run->setup->finalists || !run->setup->evaluator->ops->playoff)
        return 0;
    for (int round = 0; round <= RUN_FINALISTS_MAX && !code && played && missing; round++) {
        size_t count = gather(run, indices, &finalists);
        missing = false;
        for (size_t i = 0; i < count; i++)
            missing |= !known_find_final(&run->known, indices[i]);
        if (missing)
            code = play(run, indices, count, &played, error);
    }
    if (!code)
        crown(run, indices, finalists, played && !missing);
    return code;
}

/* What those that came first were worth: by the play-off, as far as they were in it. */
static void judge_first(struct run *run)
{
    struct run_progress *progress = run->progress;
    progress->first = measurement_unknown(STATUS_OK);
    for (size_t i = 0; i < run->setup->first_count; i++) {
        uint64_t index = run->setup->first[i];
        const struct known_entry *entry = known_find(&run->known, index);
        const struct measurement *final = known_find_final(&run->known, index);
        if (!entry || !entry->counted)
            continue;
        progress->first_count++;
        if (!measurement_timed(&entry->measurement))
            continue;
        const struct measurement *here = final ? final : &entry->measurement;
        if (isnan(progress->first.time_ns) || here->time_ns < progress->first.time_ns) {
            progress->first = *here;
            progress->first_index = index;
        }
    }
}

int run_tune(const struct run_setup *setup, struct run_progress *progress, struct error *error)
{
    struct run run = {.setup = setup, .progress = progress};
    void *options = NULL;
    bool started = false;
    int code;
    memset(progress, 0, sizeof *progress);
    run.start_ns = now(&run);
    valid_set_find_default(setup->set, setup->space, &progress->standard_index);
    progress->total = valid_set_count(setup->set);
    if (setup->max_evals && setup->max_evals < progress->total)
        progress->total = setup->max_evals;
    run.strategy = calloc(1, setup->strategy->state_size);
    options = calloc(1, setup->strategy->options_size + 1);
    code = run.strategy && options ? 0 : error_memory(error);
    if (!code)
        code = load_journal(&run, error);
    if (!code)
        code = option_defaults(setup->strategy->options, setup->strategy->option_count, options, error);
    const void *chosen = setup->strategy_options ? setup->strategy_options : options;
    if (!code)
        code = check_facts(&run, chosen, error);
    if (!code)
        code = adopt_recorded(&run, error);
    if (!code)
        code = learn_facts(&run, chosen, error);
    if (!code) {
        struct strategy_setup strategy = {
            .space = setup->space, .set = setup->set, .facts = run.facts, .seed = setup->seed, .options = chosen};
        code = setup->strategy->start(run.strategy, &strategy, error);
        started = code == 0;
    }
    if (!code) {
        int64_t used_ns = clock_process_ns();
        code = loop(&run, error);
        progress->coordinator_ns = clock_process_ns() - used_ns;
        progress->search_ns = now(&run) - run.start_ns;
    }
    if (!code && run.progress->has_best)
        code = play_off(&run, error);
    judge_first(&run);
    look(&run, NULL, false);
    if (started && setup->strategy->stop)
        setup->strategy->stop(run.strategy);
    known_free(&run.known);
    free(run.recorded);
    free(run.facts);
    free(run.strategy);
    free(options);
    return code;
}
