#include <unistd.h>

#include "commands/find.h"
#include "commands/fit_summary.h"
#include "commands/session_values.h"
#include "fit/fit_run.h"
#include "prior/warm_start.h"
#include "terminal/command.h"
#include "terminal/output.h"

/* events of the session of each size */
enum { WARM_START_SIZES = 8, FINALISTS = 8 };

#define DATABASE "cutune.csv"

struct fit_values {
    struct session_values session;
    const char *space, *over, *where, *database, *replay;
    struct option_list defines;
    int64_t sizes, probes, configurations_max;
    double max_time_s, regret_percent;
    bool untrusted;
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
     .help = "take only sizes that satisfy this expression of the space language over them"},
    {.name = "sizes",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(sizes),
     .min = 2,
     .max = 1000,
     .default_ = "40",
     .help = "search at most N sizes"},
    {.name = "probes",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(probes),
     .min = 0,
     .max = 10000,
     .default_ = "800",
     .help = "then measure the configurations of the fit and those next to them at N further sizes, with --max-time at "
             "as many as it leaves time for (0: at none), and make the fit anew"},
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
     .help = "take the fewest with which no size loses more than PCT per cent; exit with 1 if K cannot hold that"},
    SESSION_MAX_EVALS_OPTION(struct fit_values, "100", "evaluate at most N configurations in the search of a size"),
    {.name = "max-time",
     .argument = "T",
     .type = OPTION_TIME,
     FIELD(max_time_s),
     .min = 0.001,
     .max = 1e9,
     .help = "plan for T, in seconds or as in 10m or 1h: searches take half of them, probes the rest, and no size "
             "begins later"},
    {.name = "define",
     .short_name = 'D',
     .argument = "NAME=V",
     .type = OPTION_LIST,
     FIELD(defines),
     .help = "set another problem size of the space; may be repeated"},
    SET_OPTION(struct fit_values, session.sets),
    UNTRUSTED_OPTION(struct fit_values, untrusted),
    SESSION_DEVICE_OPTION(struct fit_values),
    {.name = "db",
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(database),
     .help = "database in which to save the fit, and the best configuration of each size; cutune.csv by default, and "
             "none with --replay"},
    SESSION_JOURNAL_OPTION(struct fit_values),
    SESSION_STRATEGY_OPTION(struct fit_values),
#define CONDITION(...) CONDITIONS_ROW(offsetof(struct fit_values, session.conditions), __VA_ARGS__),
#include "session/conditions.def"
#undef CONDITION
    SESSION_SEED_OPTION(struct fit_values, "the sizes and of the strategy's random choices"),
    SESSION_JOBS_OPTION(struct fit_values, ""),
    SESSION_NO_CACHE_OPTION(struct fit_values),
    {.name = "replay",
     .argument = "DIR",
     .type = OPTION_TEXT,
     FIELD(replay),
     .help = "fit the journals of a directory, one for each size, instead of measuring; needs no GPU, and saves the "
             "fit where --db says so"},
    SPACE_MEMORY_OPTION(struct fit_values, session.space_memory_mib),
    SESSION_QUIET_OPTION(struct fit_values),
};

struct terminal {
    bool quiet;
    struct progress progress;
};

static int listen_to(void *context, const struct session_event *event, struct error *error)
{
    struct terminal *terminal = context;
    (void)error;
    session_values_show(&terminal->progress, terminal->quiet, event);
    return 0;
}

static int check_usage(const struct fit_values *values, struct error *error)
{
    if (!values->space)
        error_set(error, ERROR_USAGE, "nothing to fit: --space FILE is missing");
    else if (!values->over)
        error_set(error, ERROR_USAGE, "nothing to fit over: --over \"NAME=A..B\" is missing");
    else
        return conditions_check(&values->session.conditions, error);
    error_hint(error, "cutune fit --space transpose --over \"ROWS=64..16384, COLS=64..16384\"");
    return ERROR_USAGE;
}

/* Saves the fit as a row, and reports that. */
static int save(const struct fit_values *values, const struct session_request *session, struct fit_result *result,
                struct error *error)
{
    const char *path = values->database || values->replay ? values->database : DATABASE;
    enum database_outcome outcome = DATABASE_ADDED;
    struct best row;
    int code = fit_result_row(result, session, &row, error);
    if (!code && path)
        code = database_put(path, &row, NULL, &outcome, NULL, error);
    return code ? code : fit_summary_print(result, path, outcome, error);
}

static int fit_all(const struct fit_values *values, const struct space_file *file, struct fit_result *result,
                   struct error *error)
{
    bool quiet = values->session.quiet;
    struct terminal terminal = {.quiet = quiet, .progress = progress_of_terminal(quiet)};
    struct session_request session = session_values_request(&values->session);
    session.space_path = file->path;
    session.space_text = file->text;
    session.space_length = file->length;
    session.defines = values->defines.items;
    session.define_count = values->defines.count;
    session.warm_start = WARM_START_SIZES;
    session.finalists = FINALISTS;
    session.database = values->database ? values->database : DATABASE;
    session.listener = listen_to;
    session.context = &terminal;
    const struct fit_request request = {.session = &session,
                                        .over = values->over,
                                        .where = values->where,
                                        .sizes = (size_t)values->sizes,
                                        .probes = (size_t)values->probes,
                                        .max_time_s = values->max_time_s,
                                        .options = {.configurations_max = (size_t)values->configurations_max,
                                                    .regret_percent = values->regret_percent,
                                                    .work = progress_work(&terminal.progress)}};
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
        code = find_space_file(&arena, values->space, values->untrusted, &file, error);
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

/* Options without effect beside others. */
static const struct option_mode modes[] = {
    {.beside = "replay",
     .unused =
         "device journal strategy jobs no-cache timeout min-occupancy cache state samples confidence target-interval "
         "power"},
};

static const struct command_example examples[] = {
    {"cutune fit --space transpose --over 'ROWS=64..16384, COLS=64..16384'", "fit a template over two sizes"},
    {"cutune fit --space matmul --over 'M=64..4096, N=64..4096, K=64..4096' --where 'K % 8 == 0' --max-time 600",
     "fit over a part of the sizes, in ten minutes"},
    {"cutune fit --space transpose --over 'ROWS=64..16384, COLS=64..16384' --replay cutune.d",
     "fit the recorded measurements again, without a GPU"},
};

const struct command command_fit = {
    .name = "fit",
    .arguments = "",
    .summary = "find few configurations for many problem sizes, and a tree that chooses among them",
    .description =
        "cutune takes sizes from the region in `--over`: its corners, then a sequence that covers it evenly, rounded "
        "in turn to primes, odd multiples, powers of two and multiples of vector widths. It searches each, beginning "
        "with the winners of its neighbours. At all sizes, it measures the configurations that any search proposes, "
        "the winners, those tied with them, and the default. Where the choice is least certain, it adds sizes.\nThen "
        "it "
        "takes the fewest configurations with which no size loses more than `--max-regret` per cent, and makes a tree "
        "that chooses among them by the sizes. After `--probes` further sizes have shown which configurations serve "
        "most sizes, it makes both anew. It reports the quality of the choice, on the sizes of the fit and on held-out "
        "sizes: the best time over the chosen configuration's time.\nEvery evaluation is a row in the journal of its "
        "size. The same command continues an interrupted fit, and measures nothing that the journals already have.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .modes = modes,
    .mode_count = sizeof modes / sizeof *modes,
    .values_size = sizeof(struct fit_values),
    .run = run};
