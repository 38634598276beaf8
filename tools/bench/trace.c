#include "tools/bench/trace.h"

#include <math.h>

#include "base/clock.h"
#include "evaluate/eval_replay.h"
#include "run/run.h"
#include "search/search.h"

struct tracing {
    const struct trace_setup *setup;
    struct trace *trace;
    struct strategy_choice choice;
    struct search search; /* without setup->jobs */
    int64_t start_ns;     /* of the processor time */
    volatile sig_atomic_t stop;
};

static bool ended(const struct tracing *tracing)
{
    const struct trace_setup *setup = tracing->setup;
    const struct trace *trace = tracing->trace;
    if (trace->count == setup->most)
        return true;
    if (trace->count < setup->least)
        return false;
    return setup->least_s == 0 ||
           (trace->count && trace->at_s[trace->count - 1] + trace->own_s[trace->count - 1] >= setup->least_s);
}

static void add(struct tracing *tracing, uint64_t index, double now_s)
{
    struct trace *trace = tracing->trace;
    uint32_t best = trace->count ? trace->best[trace->count - 1] : UINT32_MAX;
    uint32_t rank = tracing->setup->landscape->rank[index];
    trace->best[trace->count] = rank < best ? rank : best;
    trace->at_s[trace->count] = (float)now_s;
    trace->own_s[trace->count++] = (float)((double)(clock_process_ns() - tracing->start_ns) * 1e-9);
}

/* ---- One batch after the other ---- */

/* Evaluates configurations one after the other. */
static void evaluate(struct tracing *tracing, const uint64_t *configs, size_t count, double *now_s)
{
    const struct landscape *landscape = tracing->setup->landscape;
    for (size_t i = 0; i < count; i++) {
        double time_ns = landscape->time_ns[configs[i]];
        struct cost cost = {.ok = !isnan(time_ns), .value = time_ns};
        *now_s += landscape->cost_s[configs[i]];
        search_tell(&tracing->search, configs[i], &cost);
        add(tracing, configs[i], *now_s);
    }
}

static int ask(struct tracing *tracing, double *now_s, struct error *error)
{
    const struct trace_setup *setup = tracing->setup;
    const struct trace *trace = tracing->trace;
    uint64_t configs[TRACE_BATCH_MAX];
    size_t end = trace->count < setup->least ? setup->least : setup->most, count = 0;
    size_t room = end - trace->count < setup->batch ? end - trace->count : setup->batch;
    int code = search_ask(&tracing->search, 0, trace->count > 0, configs, room, &count, error);
    tracing->stop |= count == 0;
    if (!code)
        evaluate(tracing, configs, count, now_s);
    return code;
}

static int run_batches(struct tracing *tracing, struct error *error)
{
    const struct landscape *landscape = tracing->setup->landscape;
    struct strategy_setup setup = {.space = landscape->space,
                                   .set = landscape->set,
                                   .prior_runs = tracing->setup->prior_runs,
                                   .prior_run_count = tracing->setup->prior_run_count,
                                   .seed = tracing->setup->seed,
                                   .options = tracing->choice.options};
    double now_s = 0;
    int code = search_begin(&tracing->search, tracing->choice.ops, &setup, error);
    size_t first =
        tracing->setup->first_count < tracing->setup->most ? tracing->setup->first_count : tracing->setup->most;
    if (!code)
        evaluate(tracing, tracing->setup->first, first, &now_s);
    while (!code && !tracing->stop && !ended(tracing))
        code = ask(tracing, &now_s, error);
    search_end(&tracing->search);
    return code;
}

/* ---- As deployed ---- */

static int hear(void *context, const struct run_event *event, struct error *error)
{
    struct tracing *tracing = context;
    (void)error;
    if (event->measurement && tracing->trace->count < tracing->setup->most)
        add(tracing, event->index, (double)event->progress->elapsed_ns * 1e-9);
    tracing->stop = ended(tracing);
    return 0;
}

static int run_pipeline(struct tracing *tracing, struct error *error)
{
    const struct landscape *landscape = tracing->setup->landscape;
    struct evaluator evaluator = {0};
    struct run_progress progress;
    struct evaluator_setup replay = {
        .space = landscape->space, .set = landscape->set, .journal = landscape->journal, .jobs = tracing->setup->jobs};
    struct run_setup setup = {.space = landscape->space,
                              .set = landscape->set,
                              .strategy = tracing->choice.ops,
                              .strategy_options = tracing->choice.options,
                              .evaluator = &evaluator,
                              .first = tracing->setup->first,
                              .first_count = tracing->setup->first_count,
                              .prior_runs = tracing->setup->prior_runs,
                              .prior_run_count = tracing->setup->prior_run_count,
                              .seed = tracing->setup->seed,
                              .max_evals = tracing->setup->least_s > 0 ? tracing->setup->most : tracing->setup->least,
                              .stop = &tracing->stop,
                              .on = hear,
                              .context = tracing};
    if (!landscape->timed)
        return error_set(error, ERROR_DATA, "%s: --jobs needs a journal that records compile_ns and measure_ns",
                         landscape->name);
    int code = evaluator_open_replay(&evaluator, &replay, error);
    tracing->start_ns = clock_process_ns();
    if (!code)
        code = run_tune(&setup, &progress, error);
    evaluator_close(&evaluator);
    return code;
}

int trace_run(const struct trace_setup *setup, struct trace *trace, struct error *error)
{
    struct tracing tracing = {.setup = setup, .trace = trace};
    trace->count = 0;
    int code = strategy_choose(&tracing.choice, setup->strategy, error);
    tracing.start_ns = clock_process_ns();
    if (!code)
        code = setup->jobs ? run_pipeline(&tracing, error) : run_batches(&tracing, error);
    strategy_choice_free(&tracing.choice);
    return code;
}
