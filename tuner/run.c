#include "tuner/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "evaluate/rows.h"

enum { BATCH = 64, LOOK_NS = 100000000 };

/* Outcomes by configuration: open addressing, grown at two thirds. */
struct known {
    size_t used, capacity; /* capacity: a power of two */
    struct known_entry {
        uint64_t index;
        enum { ENTRY_FREE, ENTRY_IN_FLIGHT, ENTRY_KNOWN } state;
        bool asked;   /* by the strategy, which wants to be told */
        bool charged; /* to the budget */
        bool counted; /* in the progress */
        struct measurement measurement;
    } * entries;
};

struct run {
    const struct run_setup *setup;
    struct run_progress *progress;
    void *strategy;
    struct known known;
    size_t in_flight;
    bool exhausted;   /* the strategy has nothing more to ask for now */
    uint64_t charged; /* distinct configurations that this run has taken up */
    int64_t start_ns;
};

/* ---- Known outcomes
 * ---------------------------------------------------------------------------------------------------- */

static struct known_entry *known_slot(struct known_entry *entries, size_t capacity, uint64_t index)
{
    size_t at = (size_t)random_mix(0, index) & (capacity - 1);
    while (entries[at].state != ENTRY_FREE && entries[at].index != index)
        at = (at + 1) & (capacity - 1);
    return &entries[at];
}

/* The entry of a configuration, made free when it is new. NULL when memory is out. */
static struct known_entry *known_find(struct known *known, uint64_t index)
{
    if (3 * (known->used + 1) > 2 * known->capacity) {
        size_t capacity = known->capacity ? known->capacity * 2 : 256;
        struct known_entry *entries = calloc(capacity, sizeof *entries);
        if (!entries)
            return NULL;
        for (size_t i = 0; i < known->capacity; i++)
            if (known->entries[i].state != ENTRY_FREE)
                *known_slot(entries, capacity, known->entries[i].index) = known->entries[i];
        free(known->entries);
        known->entries = entries;
        known->capacity = capacity;
    }
    return known_slot(known->entries, known->capacity, index);
}

static void known_put(struct known *known, struct known_entry *entry, uint64_t index)
{
    known->used += entry->state == ENTRY_FREE;
    entry->index = index;
}

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
    for (size_t row = 0; row < journal_row_count(setup->journal) && !code; row++) {
        uint64_t index;
        struct known_entry *entry;
        if (!valid_set_find(setup->set, choices + row * width, &index))
            continue;
        if (!(entry = known_find(&run->known, index))) {
            code = error_memory(error);
            break;
        }
        known_put(&run->known, entry, index);
        entry->state = ENTRY_KNOWN;
        entry->measurement = journal_get_row(setup->journal, row)->measurement;
    }
    free(choices);
    return code;
}

/* ---- Outcomes
 * ---------------------------------------------------------------------------------------------------------- */

static int record(struct run *run, uint64_t index, const struct measurement *measurement, struct error *error)
{
    const struct space *space = run->setup->space;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    char texts[SPACE_PARAMETERS_MAX][VALUE_TEXT_BYTES];
    const char *values[SPACE_PARAMETERS_MAX];
    if (!run->setup->journal)
        return 0;
    valid_set_get(run->setup->set, index, choices);
    for (size_t p = 0; p < space->parameter_count; p++)
        values[p] = value_text(&space->parameters[p].values[choices[p]], texts[p], sizeof texts[p]);
    return journal_append(run->setup->journal, &(struct journal_row){.values = values, .measurement = *measurement},
                          error);
}

static void tell(struct run *run, const struct known_entry *entry)
{
    const struct measurement *measurement = &entry->measurement;
    bool bound = measurement->status == STATUS_SLOWER;
    struct cost cost = {.ok = measurement_timed(measurement) || bound, .bound = bound, .value = measurement->time_ns};
    if (entry->asked && run->setup->strategy->tell)
        run->setup->strategy->tell(run->strategy, entry->index, &cost);
}

/* The faster one; of equally fast ones the cheaper, which leaves more of a multiprocessor to others; then the one of
 * the lower index, so that the winner does not depend on the order. */
static bool better(const struct measurement *a, uint64_t a_index, const struct measurement *b, uint64_t b_index)
{
    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns;
    if (a->registers != b->registers)
        return a->registers < b->registers;
    if (a->shared_bytes != b->shared_bytes)
        return a->shared_bytes < b->shared_bytes;
    return a_index < b_index;
}

static void look(struct run *run, const struct known_entry *entry, bool fresh)
{
    struct run_progress *progress = run->progress;
    progress->elapsed_ns = clock_now_ns() - run->start_ns;
    if (run->setup->observe)
        run->setup->observe(run->setup->context, progress, entry ? entry->index : 0, entry ? &entry->measurement : NULL,
                            fresh);
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
    if (measurement->status == STATUS_DUPLICATE) /* the budget is for what is measured */
        run->charged--;
    if (entry->index == progress->standard_index && measurement_timed(measurement)) {
        progress->has_standard = true;
        progress->standard = *measurement;
    }
    if (measurement_timed(measurement) &&
        (!progress->has_best || better(measurement, entry->index, &progress->best, progress->best_index))) {
        progress->has_best = true;
        progress->waited = 0;
        progress->best = *measurement;
        progress->best_index = entry->index;
        if (run->setup->evaluator->ops->incumbent)
            run->setup->evaluator->ops->incumbent(run->setup->evaluator->state, measurement->high_ns);
    }
    look(run, entry, fresh);
}

/* One configuration that somebody wants: known already, in flight already, or submitted now. */
static int want(struct run *run, uint64_t index, bool by_strategy, struct error *error)
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
    entry->asked |= by_strategy;
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

/* ---- The loop
 * ---------------------------------------------------------------------------------------------------------- */

static int stop_asked(const struct run *run)
{
    return run->setup->stop ? *run->setup->stop : 0;
}

static bool budget_left(const struct run *run)
{
    const struct run_setup *setup = run->setup;
    return !stop_asked(run) && (!setup->max_evals || run->charged < setup->max_evals) &&
           (!setup->max_time_ns || clock_now_ns() - run->start_ns < setup->max_time_ns) &&
           (!setup->target_ns || !run->progress->has_best || run->progress->best.time_ns > setup->target_ns) &&
           (!setup->patience || run->progress->waited < setup->patience);
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
        size_t count = setup->strategy->ask(run->strategy, configs, room);
        run->exhausted = count == 0;
        if (count == 0)
            break;
        for (size_t i = 0; i < count && !code; i++)
            code = want(run, configs[i], true, error);
    }
    return code;
}

/* Waits a little and handles what has ended. */
static int collect(struct run *run, struct error *error)
{
    const struct evaluator *evaluator = run->setup->evaluator;
    struct evaluation done[BATCH];
    size_t count = 0;
    int code = evaluator->ops->wait(evaluator->state, clock_now_ns() + LOOK_NS, done, BATCH, &count, error);
    for (size_t i = 0; i < count; i++) {
        /* All of a batch is recorded even when one of them cannot be: the first error is the one that is reported. */
        int recorded = record(run, done[i].index, &done[i].measurement, error);
        if (!recorded && done[i].log && run->setup->keep_log)
            recorded = run->setup->keep_log(run->setup->log_context, done[i].index, done[i].log, error);
        if (!code)
            code = recorded;
        struct known_entry *entry = known_find(&run->known, done[i].index);
        run->in_flight--;
        entry->state = ENTRY_KNOWN;
        entry->measurement = done[i].measurement;
        count_outcome(run, entry, true);
        tell(run, entry);
    }
    if (count == 0)
        look(run, NULL, false);
    return code;
}

static int loop(struct run *run, struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    int code = 0;
    space_default(run->setup->space, choices);
    run->progress->standard_index = UINT64_MAX;
    if (valid_set_find(run->setup->set, choices, &run->progress->standard_index))
        code = want(run, run->progress->standard_index, false, error);
    while (!code && stop_asked(run) < 2) {
        code = ask(run, error);
        if (code || (run->in_flight == 0 && (run->exhausted || !budget_left(run))))
            break;
        if (run->in_flight)
            code = collect(run, error);
    }
    return code;
}

int run_tune(const struct run_setup *setup, struct run_progress *progress, struct error *error)
{
    struct run run = {.setup = setup, .progress = progress, .start_ns = clock_now_ns()};
    void *options = NULL;
    bool started = false;
    int code;
    memset(progress, 0, sizeof *progress);
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
    if (!code) {
        code = setup->strategy->start(run.strategy, setup->set, setup->seed, options, error);
        started = code == 0;
    }
    if (!code)
        code = loop(&run, error);
    look(&run, NULL, false);
    if (started && setup->strategy->stop)
        setup->strategy->stop(run.strategy);
    free(run.known.entries);
    free(run.strategy);
    free(options);
    return code;
}
