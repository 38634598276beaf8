/* The main command: cutune --space FILE. */
#include "commands/commands.h"
#include "commands/find.h"
#include "commands/tune.h"
#include "evaluate/process_medians.h"
#include "prior/warm_start.h"
#include "run/run.h"
#include "terminal/command.h"
#include "terminal/output_format.h"

#define FIELD(field) .offset = offsetof(struct tune_values, field)
static const struct option_row rows[] = {
    {.name = "space",
     .values = "templates",
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(space),
     .help = "the space to tune: a path, or the name of a template; FILE alone means the same"},
    {.name = "define",
     .short_name = 'D',
     .argument = "NAME=V,...",
     .type = OPTION_LIST,
     FIELD(defines),
     .help = "set a problem size of the space, or tune for several in turn; may be repeated"},
    SET_OPTION(struct tune_values, session.sets),
    UNTRUSTED_OPTION(struct tune_values, untrusted),
    {.name = "config",
     .argument = "CONFIG",
     .type = OPTION_LIST,
     FIELD(configs),
     .help = "keep only this configuration, 'NAME=V NAME=V ...'; may be repeated, to measure some together, each to "
             "its end"},
    {.name = "part",
     .argument = "K/N",
     .type = OPTION_TEXT,
     FIELD(part),
     .help =
         "keep only part K of N equal parts of the valid configurations; `cutune merge --journal` puts the journals "
         "of the parts together"},
    SESSION_DEVICE_OPTION(struct tune_values),
    {.name = "each",
     .type = OPTION_FLAG,
     FIELD(each),
     .help = "tune for each model of the devices at the same time: a journal and a row of the database for each"},
    {.name = "db",
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(database),
     .default_ = "cutune.csv",
     .help = "database in which to save the best configuration"},
    SESSION_JOURNAL_OPTION(struct tune_values),
    SESSION_STRATEGY_OPTION(struct tune_values),
    {.name = "learn-from",
     .argument = "JOURNAL",
     .type = OPTION_TEXT,
     FIELD(learn_from),
     .help = "start from what the kernel's journals of other devices, sizes and versions know: a journal, a folder of "
             "journals, or none (default: the folder of --journal; in a replay none)"},
    {.name = "warm-start",
     .argument = "K",
     .type = OPTION_INT,
     FIELD(warm_start),
     .min = 0,
     .max = WARM_START_MAX,
     .default_ = "8",
     .help =
         "evaluate first the winners of up to K rows of the database, of other devices, sizes and versions; 0: none"},
    SESSION_MAX_EVALS_OPTION(struct tune_values, NULL, "evaluate at most N configurations"),
    {.name = "max-time",
     .argument = "[total=]T",
     .type = OPTION_TEXT,
     FIELD(max_time),
     .help = "end the search after T, in seconds or as in 10m or 1h (in a replay, recorded time), apart from a "
             "measurement under way and the play-off; with total=T, end everything within T"},
    {.name = "target",
     .argument = "PCT",
     .type = OPTION_REAL,
     FIELD(target_percent),
     .min = 0.001,
     .max = 1000,
     .help = "stop once a configuration reaches PCT per cent of the copy ceiling"},
    {.name = "patience",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(patience),
     .min = 1,
     .max = 1e15,
     .help = "stop after N configurations in a row without improvement"},
#define CONDITION(...) CONDITIONS_ROW(offsetof(struct tune_values, session.conditions), __VA_ARGS__),
#include "session/conditions.def"
#undef CONDITION
    {.name = "playoff",
     .argument = "K",
     .type = OPTION_INT,
     FIELD(finalists),
     .min = 0,
     .max = FINALISTS_MAX,
     .default_ = "8",
     .help = "choose the winner among the best K, measured again together; 0: no play-off"},
    {.name = "confirm",
     .type = OPTION_FLAG,
     FIELD(confirm),
     .help =
         "hold the play-off again, with the configuration of the database's row, and say whether it holds, is tied or "
         "is replaced; an error without such a row"},
    {.name = "early-stop",
     .argument = "yes|no",
     .type = OPTION_CHOICE,
     FIELD(early_stop),
     .choices = "yes|no",
     .default_ = "yes",
     .help = "stop timing a configuration once it is certainly slower than the best; no: time each to its end"},
    {.name = "keep-samples",
     .type = OPTION_FLAG,
     FIELD(keep_samples),
     .help = "keep the samples of each timed configuration in a column of the journal, except those of the play-off"},
    {.name = "playoff-processes",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(playoff_processes),
     .min = 1,
     .max = PLAYOFF_PROCESSES_MAX,
     .help = "measure the play-off's best in N device processes, whose medians give the time and its interval; 1: only "
             "in that of the search (default: 6, and more while --target-interval is not reached)"},
    {.name = "objective",
     .argument = "NAME,...",
     .type = OPTION_TEXT,
     FIELD(objectives),
     .help = "measure also the energy of the fastest configurations, and save the best by each of these: time, energy, "
             "power (W) and energy_delay (J s); by default, what the space's `objective` says, or the time alone"},
    {.name = "front",
     .argument = "PCT",
     .type = OPTION_TEXT,
     FIELD(front),
     .help = "measure the energy of the configurations whose time is at most PCT per cent above the best, if an "
             "objective needs it; by default, 5"},
    {.name = "explain",
     .argument = "yes|no",
     .type = OPTION_CHOICE,
     FIELD(explain),
     .choices = "yes|no",
     .default_ = "yes",
     .help = "find out, for at most 3 seconds, why the winner is the fastest; `cutune explain` says more"},
    SESSION_SEED_OPTION(struct tune_values, "the strategy's random choices"),
    SESSION_JOBS_OPTION(struct tune_values, "; in a replay, by default one configuration at a time"),
    SESSION_NO_CACHE_OPTION(struct tune_values),
    {.name = "replay",
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(replay),
     .help = "search a recorded journal instead of measuring, with or without --space; needs no GPU and saves nothing"},
    SPACE_MEMORY_OPTION(struct tune_values, session.space_memory_mib),
    OUTPUT_FORMAT_OPTION(struct tune_values, format),
    SESSION_QUIET_OPTION(struct tune_values),
    {.name = "verbose",
     .short_name = 'v',
     .type = OPTION_FLAG,
     FIELD(verbose),
     .help = "a line per evaluation, and what the run waits for"},
};

/* FILE is --space. */
static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    if (argument_count && commands_find(arguments[0])) /* behind options */
        return error_set(error, ERROR_USAGE, "unexpected argument '%s'", arguments[0]);
    return tune_run(values, NULL, error);
}

/* Options without effect beside others. */
static const struct option_mode modes[] = {
    {.beside = "replay",
     .unused =
         "device journal no-cache timeout min-occupancy cache state samples confidence target-interval power confirm "
         "early-stop keep-samples playoff-processes front"},
};

static const struct command_example examples[] = {
    {"cutune transpose", "tune a template with its default problem size"},
    {"cutune --space smooth.space -D LENGTH=1048576,16777216", "tune a space of your own for two problem sizes"},
    {"cutune --space matmul --max-evals 200", "evaluate at most 200 configurations"},
    {"cutune --space transpose --set TILE=32,64 --set PAD=1", "keep only these values of two parameters"},
    {"cutune --space transpose --config 'TILE=64 BLOCK_ROWS=8 PAD=1 SWIZZLE=0 VEC=1 UNROLL=1 "
     "SWAP_GRID=0'",
     "measure one configuration"},
    {"cutune --space transpose --strategy surrogate:initial=20 --max-time 30s",
     "choose a strategy, and search for 30 seconds"},
    {"cutune --space transpose --max-time total=1m", "end within a minute, play-off and all"},
    {"cutune --space transpose --objective time,energy", "measure time, then the energy of the fastest ones"},
    {"cutune --space transpose --device all --each", "tune for each model of the GPUs in the machine"},
    {"cutune --replay cutune.d/transpose.NVIDIA-H200.dcc9ad13a63e262d.csv", "search a recorded journal, without a GPU"},
};

const struct command command_tune = {
    .name = "tune",
    .arguments = "[FILE]",
    .summary = "find the fastest configuration of a kernel",
    .description = "cutune searches a space of configurations for the one that makes a CUDA kernel fastest on the GPU "
                   "in the machine. A space file declares the parameters; see `cutune-space`(5). cutune compiles the "
                   "variants with NVRTC, compares their output with the reference's, times them in separate processes, "
                   "and keeps the best in a database. From it, `cutune emit` writes headers for builds.\n"
                   "Every evaluation is a row of a journal as soon as it ends. The same command continues an "
                   "interrupted run, and measures nothing that the journal already has. Without a GPU, `--replay` "
                   "searches a recorded journal instead.\n"
                   "Results go to standard output, progress and messages to standard error. Only a terminal gets a "
                   "line with progress.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .modes = modes,
    .mode_count = sizeof modes / sizeof *modes,
    .values_size = sizeof(struct tune_values),
    .arguments_max = 1,
    .argument_option = "space",
    .values = "templates",
    .run = run};
