#include "commands/tune.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands/summary.h"
#include "terminal/output.h"
#include "terminal/plan.h"
#include "terminal/progress.h"
#include "terminal/stop.h"
#include "tuner/session.h"

struct terminal {
    const struct tune_setup *setup;
    struct progress progress;
};

static int print_result(const struct terminal *terminal, const struct session_event *event, struct error *error)
{
    const struct tune_setup *setup = terminal->setup;
    if (setup->values->verbose && !event->result->replayed && event->result->explain_ns > 0)
        output_note("%.1f s to find out why the winner is the fastest", (double)event->result->explain_ns * 1e-9);
    if (setup->rows)
        return cJSON_AddItemToArray(setup->rows, summary_record(event->result)) ? 0 : error_memory(error);
    if (setup->number)
        putchar('\n');
    return summary_print(event->subject, event->result, error);
}

static void print_plan(struct terminal *terminal, const struct session_event *event)
{
    struct text line = {0};
    plan_line(event, terminal->progress.replay, &line);
    progress_end(&terminal->progress);
    output_note("%s", text_string(&line));
    text_free(&line);
}

static int listen_to(void *context, const struct session_event *event, struct error *error)
{
    struct terminal *terminal = context;
    const struct tune_setup *setup = terminal->setup;
    switch (event->kind) {
    case SESSION_NOTE:
        if (!setup->values->quiet)
            output_note("%s", event->note);
        return 0;
    case SESSION_SIZES:
        if (setup->count > 1 && !setup->values->quiet)
            output_note("run %zu of %zu: %s", setup->number + 1, setup->count, event->subject->problem);
        return 0;
    case SESSION_STARTED:
        stop_in_order();
        return 0;
    case SESSION_PLAN:
        if (!setup->values->quiet)
            print_plan(terminal, event);
        return 0;
    case SESSION_EVALUATION:
    case SESSION_PROGRESS:
        progress_show(&terminal->progress, event);
        return 0;
    case SESSION_SEARCHED:
        progress_end(&terminal->progress);
        return 0;
    case SESSION_RESULT:
        return print_result(terminal, event, error);
    }
    return 0;
}

/* Everything except the space and the listener. */
static struct session_request make_request(const struct tune_values *values, const char *const *defines)
{
    return (struct session_request){.defines = defines,
                                    .define_count = values->defines.count,
                                    .sets = values->sets.items,
                                    .set_count = values->sets.count,
                                    .configurations = values->configs.items,
                                    .configuration_count = values->configs.count,
                                    .part = values->part,
                                    .space_memory_bytes = (size_t)values->space_memory_mib << 20,
                                    .device = values->device,
                                    .replay = values->replay,
                                    .conditions = values->conditions,
                                    .jobs = (size_t)values->jobs,
                                    .no_cache = values->no_cache,
                                    .strategy = values->strategy,
                                    .seed = (uint64_t)values->seed,
                                    .learn_from = values->learn_from,
                                    .warm_start = (size_t)values->warm_start,
                                    .max_evals = (uint64_t)values->max_evals,
                                    .max_time_s = values->max_time_s,
                                    .target_percent = values->target_percent,
                                    .patience = (uint64_t)values->patience,
                                    .finalists = (size_t)values->finalists,
                                    .explain = strcmp(values->explain, "yes") == 0,
                                    .database = values->database,
                                    .journal = values->journal,
                                    .stop = stop_requests};
}

int tune_check(const struct tune_values *values, struct error *error)
{
    struct session_request request = make_request(values, values->defines.items);
    request.space_path = values->space;
    return session_check(&request, error);
}

int tune_once(const struct tune_setup *setup, const char *const *defines, struct error *error)
{
    const struct tune_values *values = setup->values;
    struct terminal terminal = {.setup = setup,
                                .progress = {.line = !values->quiet && output_terminal(STDERR_FILENO),
                                             .verbose = values->verbose,
                                             .replay = values->replay != NULL}};
    struct session_request request = make_request(values, defines);
    request.listener = listen_to;
    request.context = &terminal;
    if (setup->space) {
        request.space_path = setup->space->path;
        request.space_text = setup->space->text;
        request.space_length = setup->space->length;
    }
    return session_run(&request, error);
}
