#include "commands/tune.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "commands/each.h"
#include "commands/find.h"
#include "commands/sizes.h"
#include "commands/summary.h"
#include "evaluate/process_medians.h"
#include "session/session.h"
#include "terminal/output.h"
#include "terminal/output_format.h"
#include "terminal/plan.h"
#include "terminal/progress.h"

/* Batch systems keep the output of a job: an occasional line shows that it is alive. */
static const int64_t lines_ns = 10000000000;

struct tune_setup {
    const struct tune_values *values;
    const struct max_time *max_time;
    const double *front_percent;    /* NULL: not given */
    const struct tune_team *team;   /* NULL: a single process */
    const struct space_file *space; /* of values->space; NULL: none */
    size_t number, count;           /* number of the session, from 0, and the total */
    cJSON *rows;                    /* csv and json: receives the result; NULL: text is printed */
};

struct terminal {
    const struct tune_setup *setup;
    struct progress progress;
};

static int print_result(const struct terminal *terminal, const struct session_event *event, struct error *error)
{
    const struct tune_setup *setup = terminal->setup;
    output_status("");
    if (setup->values->verbose && !event->result->replayed && event->result->explain_ns > 0)
        output_note("%.1f s to find out why the winner is the fastest", (double)event->result->explain_ns * 1e-9);
    if (setup->rows)
        return cJSON_AddItemToArray(setup->rows, summary_record(event->subject, event->result, setup->values->format))
                   ? 0
                   : error_memory(error);
    if (setup->number)
        putchar('\n');
    return summary_print(event->subject, event->result, error);
}

static void print_plan(struct terminal *terminal, const struct session_event *event)
{
    struct text line = {0};
    plan_line(event, terminal->progress.replay, &line);
    output_note("%s", text_string(&line));
    text_free(&line);
}

static int listen_to(void *context, const struct session_event *event, struct error *error)
{
    struct terminal *terminal = context;
    const struct tune_setup *setup = terminal->setup;
    bool quiet = setup->values->session.quiet;
    switch (event->kind) {
    case SESSION_SIZES:
        if (setup->count > 1 && !quiet)
            output_note("run %zu of %zu: %s", setup->number + 1, setup->count, event->subject->problem);
        return 0;
    case SESSION_RESULT:
        return print_result(terminal, event, error);
    case SESSION_RUN:
        if (event->run->kind == RUN_PLAN && !quiet)
            print_plan(terminal, event);
        /* fall through */
    default:
        session_values_show(&terminal->progress, quiet, event);
        return 0;
    }
}

/* ---- The time limit ---- */

struct max_time {
    double search_s; /* of each search; 0: no limit */
    double total_s;  /* of the whole command; 0: no limit */
    int64_t begin_ns;
};

static int read_max_time(const char *text, struct max_time *limit, struct error *error)
{
    static const struct option_row row = {
        .name = "max-time", .argument = "T", .type = OPTION_TIME, .min = 0.001, .max = 1e9};
    static const char total[] = "total=";
    double seconds = 0;
    *limit = (struct max_time){.begin_ns = clock_now_ns()};
    bool whole = text && strncmp(text, total, strlen(total)) == 0;
    int code = text ? option_set(&row, &seconds, whole ? text + strlen(total) : text, error) : 0;
    *(whole ? &limit->total_s : &limit->search_s) = seconds;
    return code;
}

/* Returns the end of a session, which gets an equal part of the time with those after it; 0: no limit. */
static int64_t end_ns(const struct tune_setup *setup)
{
    const struct max_time *limit = setup->max_time;
    int64_t now_ns = clock_now_ns(), end_ns = limit->begin_ns + (int64_t)(limit->total_s * 1e9);
    return limit->total_s > 0 ? now_ns + (end_ns - now_ns) / (int64_t)(setup->count - setup->number) : 0;
}

/* ---- One session ---- */

/* The session tells a given distance from none: it may come without energies. */
static int read_front(const char *text, double *percent, struct error *error)
{
    static const struct option_row row = {.name = "front", .argument = "PCT", .type = OPTION_REAL, .max = 1000};
    return text ? option_set(&row, percent, text, error) : 0;
}

/* Sets everything except the space and the listener. */
static struct session_request make_request(const struct tune_setup *setup, const char *const *defines)
{
    const struct tune_values *values = setup->values;
    struct session_request request = session_values_request(&values->session);
    request.defines = defines;
    request.define_count = values->defines.count;
    request.configurations = values->configs.items;
    request.configuration_count = values->configs.count;
    request.part = values->part;
    request.replay = values->replay;
    request.learn_from = values->learn_from;
    request.together = values->each;
    request.warm_start = (size_t)values->warm_start;
    request.target_percent = values->target_percent;
    request.patience = (uint64_t)values->patience;
    request.finalists = (size_t)values->finalists;
    request.confirm = values->confirm;
    request.keep_samples = values->keep_samples;
    request.playoff_processes = values->playoff_processes ? (size_t)values->playoff_processes : PLAYOFF_PROCESSES;
    request.playoff_extends = !values->playoff_processes;
    request.exact = strcmp(values->early_stop, "no") == 0;
    request.objectives = values->objectives;
    request.front_percent = setup->front_percent;
    request.explain = strcmp(values->explain, "yes") == 0;
    request.database = values->database;
    return request;
}

/* `defines`: values->defines.count strings "NAME=VALUE". */
static int tune_once(const struct tune_setup *setup, const char *const *defines, struct error *error)
{
    const struct tune_values *values = setup->values;
    bool rewrites = output_terminal(STDERR_FILENO);
    struct terminal terminal = {
        .setup = setup,
        .progress = {.line = !values->session.quiet && rewrites,
                     .lines_ns = setup->team && !values->session.quiet && !rewrites ? lines_ns : 0,
                     .verbose = values->verbose,
                     .replay = values->replay != NULL}};
    struct session_request request = make_request(setup, defines);
    request.max_time_s = setup->max_time->search_s;
    request.end_ns = end_ns(setup);
    request.listener = listen_to;
    request.context = &terminal;
    if (setup->team) {
        request.links = setup->team->links;
        request.link_count = setup->team->link_count;
        request.silence_s = setup->team->silence_s;
        request.device_share = setup->team->device_share;
        request.core_sharers = setup->team->core_sharers;
    }
    if (setup->space) {
        request.space_path = setup->space->path;
        request.space_text = setup->space->text;
        request.space_length = setup->space->length;
    }
    return session_run(&request, error);
}

/* ---- A session for each combination of sizes ---- */

/* Checks options that depend on each other. */
static int check_usage(const struct tune_setup *setup, struct error *error)
{
    const struct tune_values *values = setup->values;
    struct session_request request = make_request(setup, values->defines.items);
    request.space_path = values->space;
    int code = session_check(&request, error);
    if (!code && values->session.quiet && values->verbose)
        code = error_set(error, ERROR_USAGE, "--quiet and --verbose exclude each other");
    if (!code && setup->max_time->total_s > 0 && values->replay)
        code =
            error_set(error, ERROR_USAGE,
                      "--max-time total=S limits the time of measuring, --replay measures nothing: use --max-time S");
    if (!code && values->each && values->replay)
        code = error_set(error, ERROR_USAGE, "--each tunes for the devices of this machine, --replay for a journal's");
    if (!code && values->confirm && !values->finalists)
        code = error_set(error, ERROR_USAGE, "--confirm holds the play-off again, and --playoff 0 has none");
    if (!code && values->each && setup->team)
        code = error_set(error, ERROR_USAGE, "--each tunes for the devices of one machine: use it with cutune");
    return code;
}

static int tune_size(void *context, size_t number, const char *const *defines, struct error *error)
{
    struct tune_setup *setup = context;
    setup->number = number;
    return tune_once(setup, defines, error);
}

struct tuning {
    struct tune_setup *setup;
    struct sweep *sweep;
};

/* Tunes for all sizes in the process of a model. Each model begins with other configurations, so that models exchange
 * results. */
static int tune_model(void *context, size_t model, const char *devices, size_t jobs, cJSON *records,
                      struct error *error)
{
    const struct tuning *tuning = context;
    struct tune_setup setup = *tuning->setup;
    struct tune_values values = *setup.values;
    values.session.device = devices;
    values.session.jobs = (int64_t)jobs;
    values.session.seed += (int64_t)model;
    setup.values = &values;
    setup.rows = records;
    return sizes_each(tuning->sweep, tune_size, &setup, error);
}

static int tune_all(struct tune_setup *setup, struct sweep *sweep, struct error *error)
{
    const struct tune_values *values = setup->values;
    const struct each_work work = {.run = tune_model,
                                   .context = &(struct tuning){.setup = setup, .sweep = sweep},
                                   .jobs = (size_t)values->session.jobs};
    setup->count = sweep_runs(sweep);
    int code = values->each ? each_model(values->session.device, &work, setup->rows, error)
                            : sizes_each(sweep, tune_size, setup, error);
    if (setup->rows && cJSON_GetArraySize(setup->rows) > 0) {
        int printed = output_rows(setup->rows, values->format, true, error);
        code = code ? code : printed;
    }
    return code;
}

int tune_run(const struct tune_values *values, const struct tune_team *team, struct error *error)
{
    struct max_time limit;
    double front_percent;
    struct tune_setup setup = {
        .values = values, .max_time = &limit, .front_percent = values->front ? &front_percent : NULL, .team = team};
    const struct option_list *defines = &values->defines;
    struct arena arena = {0};
    struct sweep *sweep = NULL;
    struct space_file file;
    int code = read_max_time(values->max_time, &limit, error);
    if (!code)
        code = read_front(values->front, &front_percent, error);
    if (!code)
        code = check_usage(&setup, error);
    if (!code && values->space) {
        code = find_space_file(&arena, values->space, values->untrusted, &file, error);
        setup.space = &file;
    }
    if (!code)
        code = sizes_make(&sweep, setup.space, defines->items, defines->count, error);
    if (!code && !output_format(values->format)->prose && !(setup.rows = cJSON_CreateArray()))
        code = error_memory(error);
    if (!code)
        code = tune_all(&setup, sweep, error);
    cJSON_Delete(setup.rows);
    sweep_free(sweep);
    arena_free(&arena);
    return code;
}
