#include "tools/bench/trace.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "evaluate/eval_replay.h"
#include "run/run.h"
#include "search/strategy.h"

struct search {
    const struct trace_setup *setup;
    struct trace *trace;
    struct strategy_choice choice;
    int64_t start_ns; /* of the processor time */
    volatile sig_atomic_t stop;
};

static bool ended(const struct search *search)
{
    const struct trace_setup *setup = search->setup;
    const struct trace *trace = search->trace;
    if (trace->count == setup->most)
        return true;
    if (trace->count < setup->least)
        return false;
    return setup->least_s == 0 ||
           (trace->count && trace->at_s[trace->count - 1] + trace->own_s[trace->count - 1] >= setup->least_s);
}

static void add(struct search *search, uint64_t index, double now_s)
{
    struct trace *trace = search->trace;
    uint32_t best = trace->count ? trace->best[trace->count - 1] : UINT32_MAX;
    uint32_t rank = search->setup->landscape->rank[index];
    trace->best[trace->count] = rank < best ? rank : best;
    trace->at_s[trace->count] = (float)now_s;
    trace->own_s[trace->count++] = (float)((double)(clock_process_ns() - search->start_ns) * 1e-9);
}

/* ---- One batch after the other ---- */

/* Evaluates configurations one after the other. Passes no results to a strategy that does not learn. */
static void evaluate(struct search *search, void *state, const uint64_t *configs, size_t count, double *now_s)
{
    const struct landscape *landscape = search->setup->landscape;
    for (size_t i = 0; i < count; i++) {
        double time_ns = landscape->time_ns[configs[i]];
        struct cost cost = {.ok = !isnan(time_ns), .value = time_ns};
        *now_s += landscape->cost_s[configs[i]];
        if (search->choice.ops->tell)
            search->choice.ops->tell(state, configs[i], &cost);
        add(search, configs[i], *now_s);
    }
}

static int ask(struct search *search, void *state, double *now_s, struct error *error)
{
    const struct trace_setup *setup = search->setup;
    const struct trace *trace = search->trace;
    uint64_t configs[TRACE_BATCH_MAX];
    size_t end = trace->count < setup->least ? setup->least : setup->most, count = 0;
    size_t room = end - trace->count < setup->batch ? end - trace->count : setup->batch;
    int code = search->choice.ops->ask(state, configs, room, &count, error);
    search->stop |= count == 0;
    if (!code)
        evaluate(search, state, configs, count, now_s);
    return code;
}

static int run_batches(struct search *search, struct error *error)
{
    const struct landscape *landscape = search->setup->landscape;
    const struct strategy_ops *ops = search->choice.ops;
    struct strategy_setup setup = {.space = landscape->space,
                                   .set = landscape->set,
                                   .prior_runs = search->setup->prior_runs,
                                   .prior_run_count = search->setup->prior_run_count,
                                   .seed = search->setup->seed,
                                   .options = search->choice.options};
    double now_s = 0;
    void *state = calloc(1, ops->state_size);
    int code = state ? ops->start(state, &setup, error) : error_memory(error);
    size_t first = search->setup->first_count < search->setup->most ? search->setup->first_count : search->setup->most;
    if (!code)
        evaluate(search, state, search->setup->first, first, &now_s);
    while (!code && !search->stop && !ended(search))
        code = ask(search, state, &now_s, error);
    if (state && ops->stop)
        ops->stop(state);
    free(state);
    return code;
}

/* ---- As deployed ---- */

static int hear(void *context, const struct run_event *event, struct error *error)
{
    struct search *search = context;
    (void)error;
    if (event->measurement && search->trace->count < search->setup->most)
        add(search, event->index, (double)event->progress->elapsed_ns * 1e-9);
    search->stop = ended(search);
    return 0;
}

static int run_pipeline(struct search *search, struct error *error)
{
    const struct landscape *landscape = search->setup->landscape;
    struct evaluator evaluator = {0};
    struct run_progress progress;
    struct evaluator_setup replay = {
        .space = landscape->space, .set = landscape->set, .journal = landscape->journal, .jobs = search->setup->jobs};
    struct run_setup setup = {.space = landscape->space,
                              .set = landscape->set,
                              .strategy = search->choice.ops,
                              .strategy_options = search->choice.options,
                              .evaluator = &evaluator,
                              .first = search->setup->first,
                              .first_count = search->setup->first_count,
                              .prior_runs = search->setup->prior_runs,
                              .prior_run_count = search->setup->prior_run_count,
                              .seed = search->setup->seed,
                              .max_evals = search->setup->least_s > 0 ? search->setup->most : search->setup->least,
                              .stop = &search->stop,
                              .on = hear,
                              .context = search};
    if (!landscape->timed)
        return error_set(error, ERROR_DATA, "%s: --jobs needs a journal that records compile_ns and measure_ns",
                         landscape->name);
    int code = evaluator_open_replay(&evaluator, &replay, error);
    search->start_ns = clock_process_ns();
    if (!code)
        code = run_tune(&setup, &progress, error);
    evaluator_close(&evaluator);
    return code;
}

int trace_run(const struct trace_setup *setup, struct trace *trace, struct error *error)
{
    struct search search = {.setup = setup, .trace = trace};
    trace->count = 0;
    int code = strategy_choose(&search.choice, setup->strategy, error);
    search.start_ns = clock_process_ns();
    if (!code)
        code = setup->jobs ? run_pipeline(&search, error) : run_batches(&search, error);
    strategy_choice_free(&search.choice);
    return code;
}
