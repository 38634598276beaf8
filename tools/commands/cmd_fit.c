#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands/find.h"
#include "commands/fit_summary.h"
#include "compile/pool.h"
#include "terminal/command.h"
#include "terminal/output.h"
#include "terminal/progress.h"
#include "terminal/stop.h"
#include "tuner/fit_run.h"
#include "tuner/warm_start.h"

/* Of the session of each size. */
enum { WARM_START_SIZES = 8, FINALISTS = 8 };

#define DATABASE "cutune.csv"

struct fit_values {
    const char *space, *over, *where, *database, *journal, *strategy, *replay, *device;
    struct option_list defines, sets;
    struct conditions conditions;
    int64_t sizes, configurations_max, max_evals, seed, jobs, space_memory_mib;
    double max_time_s, regret_percent;
    bool no_cache, quiet;
};

#define FIELD(field) .offset = offsetof(struct fit_values, field)
static const struct option_row rows[] = {
    {.name = "space",
     .values = "templates",
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(space),
     .help = "the space to fit: a path, or the name of a template"},
    {.name = "over",
     .argument = "NAME=A..B,...",
     .type = OPTION_TEXT,
     FIELD(over),
     .help = "the problem sizes to fit over, each from A to B"},
    {.name = "where",
     .argument = "EXPRESSION",
     .type = OPTION_TEXT,
     FIELD(where),
     .help = "take only sizes for which this holds, an expression of the space language over them"},
    {.name = "sizes",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(sizes),
     .min = 2,
     .max = 1000,
     .default_ = "40",
     .help = "search at most N sizes"},
    {.name = "max-configurations",
     .argument = "K",
     .type = OPTION_INT,
     FIELD(configurations_max),
     .min = 1,
     .max = SIZE_FIT_CONFIGURATIONS_MAX,
     .default_ = "8",
     .help = "choose among at most K configurations"},
    {.name = "max-regret",
     .argument = "PCT",
     .type = OPTION_REAL,
     FIELD(regret_percent),
     .min = 0.01,
     .max = 1000,
     .default_ = "5",
     .help = "take as few of them as let no size lose more than PCT per cent; where K cannot hold that, the exit "
             "status is 1"},
    {.name = "max-evals",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(max_evals),
     .min = 1,
     .max = 1e15,
     .default_ = "100",
     .help = "evaluate at most N configurations in the search of a size"},
    {.name = "max-time",
     .argument = "S",
     .type = OPTION_REAL,
     FIELD(max_time_s),
     .min = 0.001,
     .max = 1e9,
     .help = "plan for S seconds: searches take 60% of them, then no size is begun"},
    {.name = "define",
     .short_name = 'D',
     .argument = "NAME=V",
     .type = OPTION_LIST,
     FIELD(defines),
     .help = "set another problem size of the space; may be repeated"},
    {.name = "set",
     .argument = "NAME=V,...",
     .type = OPTION_LIST,
     FIELD(sets),
     .help = "keep only these values of a parameter; may be repeated"},
    {.name = "device",
     .argument = "DEVICES",
     .type = OPTION_TEXT,
     FIELD(device),
     .default_ = "0",
     .help = "CUDA devices to measure on, by number or UUID, separated by commas, or all: GPUs of one model share the "
             "searches"},
    {.name = "db",
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(database),
     .help = "database in which to save the fit, and the best configuration of each size; cutune.csv by default, and "
             "none with --replay"},
    {.name = "journal",
     .argument = "DIR",
     .type = OPTION_TEXT,
     FIELD(journal),
     .default_ = "cutune.d",
     .help = "directory of the journals, one for each size; a fit continues those of an earlier one"},
    {.name = "strategy",
     .values = "strategies",
     .argument = "S[:OPTION=V,...]",
     .type = OPTION_TEXT,
     FIELD(strategy),
     .default_ = "auto",
     .help = "search strategy; `cutune strategies` lists them and their options"},
#define CONDITION(...) CONDITIONS_ROW(offsetof(struct fit_values, conditions), __VA_ARGS__),
#include "tuner/conditions.def"
#undef CONDITION
    {.name = "seed",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(seed),
     .min = 0,
     .max = 9007199254740992.0,
     .default_ = "1",
     .help = "seed of the sizes and of the strategy's random choices"},
    {.name = "jobs",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(jobs),
     .min = 1,
     .max = POOL_JOBS_MAX,
     .help = "compiler processes, by default one per usable core less one"},
    {.name = "no-cache",
     .type = OPTION_FLAG,
     FIELD(no_cache),
     .help = "compile everything, and neither read nor write the cache of compiled kernels"},
    {.name = "replay",
     .argument = "DIR",
     .type = OPTION_TEXT,
     FIELD(replay),
     .help = "fit the journals of a directory, one for each size, instead of measuring; needs no GPU, and saves the "
             "fit where --db says so"},
    SPACE_MEMORY_OPTION(struct fit_values, space_memory_mib),
    {.name = "quiet", .short_name = 'q', .type = OPTION_FLAG, FIELD(quiet), .help = "no progress, no notes"},
};

struct terminal {
    const struct fit_values *values;
    struct progress progress;
};

static int listen_to(void *context, const struct session_event *event, struct error *error)
{
    struct terminal *terminal = context;
    (void)error;
    switch (event->kind) {
    case SESSION_NOTE:
        if (!terminal->values->quiet)
            output_note("%s", event->note);
        return 0;
    case SESSION_STARTED:
        stop_in_order();
        return 0;
    case SESSION_EVALUATION:
    case SESSION_PROGRESS:
        progress_show(&terminal->progress, event);
        return 0;
    case SESSION_SEARCHED:
        progress_end(&terminal->progress);
        return 0;
    default:
        return 0;
    }
}

static int check_usage(const struct fit_values *values, struct error *error)
{
    if (!values->space)
        error_set(error, ERROR_USAGE, "nothing to fit: --space FILE is missing");
    else if (!values->over)
        error_set(error, ERROR_USAGE, "nothing to fit over: --over \"NAME=A..B\" is missing");
    else
        return conditions_check(&values->conditions, error);
    error_hint(error, "cutune fit --space transpose --over \"ROWS=64..16384, COLS=64..16384\"");
    return ERROR_USAGE;
}

/* Saves the fit as a row, and says so. */
static int save(const struct fit_values *values, const struct session_request *session, struct fit_result *result,
                struct error *error)
{
    const char *path = values->database || values->replay ? values->database : DATABASE;
    enum database_outcome outcome = DATABASE_ADDED;
    struct best row;
    int code = fit_result_row(result, session, &row, error);
    if (!code && path)
        code = database_put(path, &row, &outcome, NULL, error);
    return code ? code : fit_summary_print(result, path, outcome, error);
}

static int fit_all(const struct fit_values *values, const struct space_file *file, struct fit_result *result,
                   struct error *error)
{
    struct terminal terminal = {.values = values,
                                .progress = {.line = !values->quiet && output_terminal(STDERR_FILENO)}};
    const struct session_request session = {.space_path = file->path,
                                            .space_text = file->text,
                                            .space_length = file->length,
                                            .defines = values->defines.items,
                                            .define_count = values->defines.count,
                                            .sets = values->sets.items,
                                            .set_count = values->sets.count,
                                            .space_memory_bytes = (size_t)values->space_memory_mib << 20,
                                            .device = values->device,
                                            .conditions = values->conditions,
                                            .jobs = (size_t)values->jobs,
                                            .no_cache = values->no_cache,
                                            .strategy = values->strategy,
                                            .seed = (uint64_t)values->seed,
                                            .warm_start = WARM_START_SIZES,
                                            .max_evals = (uint64_t)values->max_evals,
                                            .finalists = FINALISTS,
                                            .database = values->database ? values->database : DATABASE,
                                            .journal = values->journal,
                                            .stop = stop_requests,
                                            .listener = listen_to,
                                            .context = &terminal};
    const struct fit_request request = {.session = &session,
                                        .over = values->over,
                                        .where = values->where,
                                        .sizes = (size_t)values->sizes,
                                        .max_time_s = values->max_time_s,
                                        .options = {.configurations_max = (size_t)values->configurations_max,
                                                    .regret_percent = values->regret_percent}};
    int code = values->replay ? fit_replay(&request, values->replay, result, error) : fit_run(&request, result, error);
    return code ? code : save(values, &session, result, error);
}

static int run(const void *options, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct fit_values *values = options;
    struct fit_result result = {0};
    struct arena arena = {0};
    struct space_file file;
    (void)arguments, (void)argument_count;
    int code = check_usage(values, error);
    if (!code)
        code = find_space_file(&arena, values->space, &file, error);
    if (!code)
        code = fit_all(values, &file, &result, error);
    if (!code && !result.fit.holds)
        code = error_set(error, ERROR_REGRET, "--max-regret: with %zu configuration%s, one size loses %.1f%%",
                         result.fit.sizes->configuration_count, result.fit.sizes->configuration_count == 1 ? "" : "s",
                         result.fit.worst_percent);
    fit_result_free(&result);
    arena_free(&arena);
    return code;
}

static const struct command_example examples[] = {
    {"cutune fit --space transpose --over 'ROWS=64..16384, COLS=64..16384'", "fit a template over two sizes"},
    {"cutune fit --space matmul --over 'M=64..4096, N=64..4096, K=64..4096' --where 'K % 8 == 0' --max-time 600",
     "fit over a part of the sizes, in ten minutes"},
    {"cutune fit --space transpose --over 'ROWS=64..16384, COLS=64..16384' --replay cutune.d",
     "fit again what was measured, without a GPU"},
};

const struct command command_fit = {
    .name = "fit",
    .arguments = "",
    .summary = "find few configurations for many problem sizes, and what chooses among them",
    .description =
        "cutune takes sizes of the region that `--over` names: its corners, then a sequence that covers it evenly, "
        "rounded in turn to primes, odd multiples, powers of two and multiples of vector widths. It searches each, "
        "beginning with the winners of its neighbours, and measures what any of them proposes, the winners, what was "
        "tied with them, and the default, at all of them. Where the choice is least certain, it adds sizes.\nThen it "
        "takes the fewest configurations that let no size lose more than `--max-regret` per cent, and makes a tree "
        "that "
        "chooses among them by the sizes. It tells how well that does on the sizes it was made from, and on sizes that "
        "were held out: the best time over the time of what is chosen.\nEvery evaluation is a row in the journal of "
        "its "
        "size. The same command continues an interrupted fit, and measures nothing that the journals already have.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(struct fit_values),
    .run = run};
