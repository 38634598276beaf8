#include <math.h>
#include <string.h>

#include "base/random.h"
#include "commands/find.h"
#include "commands/judge.h"
#include "commands/judge_sizes.h"
#include "commands/session_values.h"
#include "commands/sizes.h"
#include "terminal/command.h"
#include "terminal/output.h"
#include "terminal/output_format.h"

#define JOURNALS "cutune.judge"

struct judge_values {
    struct session_values session;
    const char *space, *database, *format, *configuration, *process;
    struct option_list defines;
    int64_t sizes;
    bool untrusted, special;
};

#define FIELD(field) .offset = offsetof(struct judge_values, field)
static const struct option_row rows[] = {
    {.name = "space",
     .values = "templates",
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(space),
     .help = "the space that says what the candidates compute: a path, or the name of a template"},
    {.name = "define",
     .short_name = 'D',
     .argument = "NAME=V,...",
     .type = OPTION_LIST,
     FIELD(defines),
     .help = "set a problem size of the space, or judge at several in turn; may be repeated"},
    {.name = "sizes",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(sizes),
     .min = 0,
     .max = JUDGE_SIZES_MAX,
     .default_ = "0",
     .help = "judge also at N random sizes near each of the given ones, of half to all of it, odd ones where the space "
             "allows them"},
    {.name = "config",
     .argument = "CONFIG",
     .type = OPTION_TEXT,
     FIELD(configuration),
     .help =
         "the configuration of the candidates, 'NAME=V NAME=V ...': it gives their macros and launches (default: the "
         "space's default)"},
    {.name = "process",
     .argument = "own|shared",
     .type = OPTION_CHOICE,
     FIELD(process),
     .choices = "own|shared",
     .default_ = "own",
     .help = "the device process of a candidate: a new one, or one that all share, wiped in between, which is faster"},
    {.name = "special",
     .type = OPTION_FLAG,
     FIELD(special),
     .help =
         "put special values into random inputs of half of the launches: zeros, infinities, NaN, subnormal and large "
         "numbers"},
    UNTRUSTED_OPTION(struct judge_values, untrusted),
    SESSION_DEVICE_OPTION(struct judge_values),
    {.name = "db",
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(database),
     .default_ = "cutune.csv",
     .help = "database with the best known configuration; nothing is saved in it"},
    {.name = "journal",
     .argument = "DIR",
     .type = OPTION_TEXT,
     SESSION_VALUE(struct judge_values, journal),
     .default_ = JOURNALS,
     .help = "directory of the journals, apart from those of tuning, which learns from its own"},
#define CONDITION(...) CONDITIONS_ROW(offsetof(struct judge_values, session.conditions), __VA_ARGS__),
#include "session/conditions.def"
#undef CONDITION
    SESSION_SEED_OPTION(struct judge_values, "the random sizes"),
    SESSION_JOBS_OPTION(struct judge_values, ""),
    SESSION_NO_CACHE_OPTION(struct judge_values),
    SPACE_MEMORY_OPTION(struct judge_values, session.space_memory_mib),
    OUTPUT_FORMAT_OPTION(struct judge_values, format),
    SESSION_QUIET_OPTION(struct judge_values),
};

struct judge_work {
    const struct judge_values *values;
    const struct space_file *file;
    const char *const *candidates;
    size_t candidate_count;
    bool has_library;
    struct judging judging;
    struct progress progress;
};

static int listen_to(void *context, const struct session_event *event, struct error *error)
{
    struct judge_work *work = context;
    (void)error;
    session_values_show(&work->progress, work->values->session.quiet, event);
    return 0;
}

static int judge_at(struct judge_work *work, const char *const *defines, size_t define_count, struct error *error)
{
    const struct judge_values *values = work->values;
    const struct session_judgement judgement = {.paths = work->candidates,
                                                .path_count = work->candidate_count,
                                                .configuration = values->configuration,
                                                .shares_process = strcmp(values->process, "shared") == 0,
                                                .special = values->special};
    struct session_request request = session_values_request(&values->session);
    request.space_path = work->file->path;
    request.space_text = work->file->text;
    request.space_length = work->file->length;
    request.defines = defines;
    request.define_count = define_count;
    request.judgement = &judgement;
    request.strategy = "exhaustive";
    request.database = values->database;
    return judge_run(&work->judging, &request, work->has_library, listen_to, work, error);
}

static int judge_size(void *context, size_t number, const char *const *defines, struct error *error)
{
    struct judge_work *work = context;
    (void)number;
    int code = judge_at(work, defines, work->values->defines.count, error);
    /* If not even the space's own kernels work, the verdicts say so. */
    if (code == ERROR_NOTHING_VALID && work->judging.count) {
        error_clear(error);
        code = 0;
    }
    return code;
}

/* The device may have no room for the configuration at such sizes: the options themselves were right before. */
static int judge_drawn(struct judge_work *work, const char *const *sizes, size_t count, struct error *error)
{
    int code = judge_at(work, sizes, count, error);
    if (code != ERROR_USAGE && code != ERROR_NOTHING_VALID)
        return code;
    output_note("--sizes: %s", error->message);
    error_clear(error);
    return 0;
}

/* Judges at sizes near the given ones, of this number in the sweep. */
static int judge_near(struct judge_work *work, struct sweep *sweep, size_t given, struct error *error)
{
    const struct judge_values *values = work->values;
    struct arena arena = {0};
    int code = 0;
    for (int64_t i = 0; i < values->sizes && !code; i++) {
        const char *const *sizes;
        size_t count = 0;
        code = judge_draw_sizes(
            &arena, work->file, sweep_get(sweep, given), values->defines.count, values->configuration,
            random_mix((uint64_t)values->session.seed, given * JUDGE_SIZES_MAX + (uint64_t)i), &sizes, &count, error);
        if (!code && count == 0) {
            output_note("--sizes %lld: no other size was found at which the configuration is valid",
                        (long long)values->sizes);
            break;
        }
        if (!code)
            code = judge_drawn(work, sizes, count, error);
    }
    arena_free(&arena);
    return code;
}

static int judge_unseen(struct judge_work *work, struct sweep *sweep, struct error *error)
{
    int code = 0;
    for (size_t given = 0; given < sweep_runs(sweep) && !code; given++)
        code = judge_near(work, sweep, given, error);
    return code;
}

/* The exit status tells whether all candidates are right. */
static int conclude(const struct judging *judging, struct error *error)
{
    size_t counts[JUDGED_VERDICTS] = {0}, candidates = 0;
    const struct judged *where;
    for (size_t i = 0; i < judging->count; i++) {
        const enum judged_verdict verdict = judged_overall(judging, judging->rows[i].name, &where);
        bool first = !judging->rows[i].own;
        for (size_t j = 0; j < i; j++)
            first &= strcmp(judging->rows[j].name, judging->rows[i].name) != 0;
        counts[verdict] += first;
        candidates += first;
    }
    if (counts[JUDGED_RIGHT] == candidates)
        return 0;
    return error_set(error, ERROR_CANDIDATE, "of %zu candidate%s, %zu wrong, %zu failed, %zu suspicious", candidates,
                     candidates == 1 ? "" : "s", counts[JUDGED_WRONG], counts[JUDGED_FAILED],
                     counts[JUDGED_SUSPICIOUS]);
}

/* Says if launches have the same inputs, so that a candidate may keep its results. */
static void note_inputs(const struct space *space)
{
    bool random = false, fixed = space->reference_kind == REFERENCE_COMMAND;
    for (size_t i = 0; i < space->buffer_count; i++) {
        random |= space->buffers[i].fill == FILL_RANDOM;
        fixed |= space->buffers[i].expected_path != NULL;
    }
    if (fixed || !random)
        output_note("each launch has the same inputs, because %s: a candidate may keep results from one to the next",
                    fixed ? "the expected results are theirs" : "no buffer is random");
}

static int judge_all(struct judge_work *work, struct error *error)
{
    const struct judge_values *values = work->values;
    struct sweep *sweep = NULL;
    struct space *space = NULL;
    int code = space_file_parse(work->file, &space, error);
    work->has_library = !code && space->library_path;
    if (!code && !values->session.quiet)
        note_inputs(space);
    space_free(space);
    if (!code)
        code = sizes_make(&sweep, work->file, values->defines.items, values->defines.count, error);
    if (!code)
        code = sizes_each(sweep, judge_size, work, error);
    if (!code && values->sizes)
        code = judge_unseen(work, sweep, error);
    struct error printed = {0};
    if (judge_print(&work->judging, values->format, &printed) && !code)
        code = error_set(error, printed.code, "%s", printed.message);
    sweep_free(sweep);
    return code ? code : conclude(&work->judging, error);
}

/* Refuses conditions of play-offs, which judging has not. */
static int check_conditions(const struct conditions *conditions, struct error *error)
{
    const char *name = conditions_sustained(conditions) ? "--state" : conditions->power_s > 0 ? "--power" : NULL;
    if (!name)
        return conditions_check(conditions, error);
    return error_set(error, ERROR_USAGE,
                     "%s has no effect: a judged kernel is timed alone, and its power is not measured", name);
}

static int run(const void *options, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct judge_values *values = options;
    struct judge_work work = {.values = values,
                              .candidates = arguments,
                              .candidate_count = argument_count,
                              .progress = progress_of_terminal(values->session.quiet)};
    struct arena arena = {0};
    struct space_file file;
    int code = 0;
    if (!values->space) {
        code = error_set(error, ERROR_USAGE, "nothing to judge by: --space FILE is missing");
        error_hint(error, "cutune judge --space transpose mine.cu");
    }
    if (!code)
        code = check_conditions(&values->session.conditions, error);
    if (!code)
        code = find_space_file(&arena, values->space, values->untrusted, &file, error);
    work.file = &file;
    if (!code)
        code = judge_all(&work, error);
    judging_free(&work.judging);
    arena_free(&arena);
    return code;
}

static const struct command_example examples[] = {
    {"cutune judge --space transpose mine.cu", "judge a source file by a template"},
    {"cutune judge --space matmul --sizes 3 a.cu b.cu c.cubin",
     "judge three candidates, also at sizes not seen before"},
    {"cutune judge --space transpose --process shared --format json *.cu", "judge many, faster"},
};

const struct command command_judge = {
    .name = "judge",
    .arguments = "CANDIDATE...",
    .summary = "judge kernels that others wrote: right or wrong, faster or slower, and suspicious",
    .description =
        "cutune judges candidates for the kernels of a space: source files, machine code (cubins), or arguments of its "
        "`compiler command`. A candidate has the space's arguments, launches and macros. It is compiled, verified and "
        "timed like a configuration, beside the space's own kernels with the default and the best known configuration, "
        "and the space's `library`.\nThe verdict about a candidate is the worst over all sizes. It is `right`, "
        "`wrong`, "
        "`failed`, or `suspicious`: its results are right, but something speaks against its time. The exit status is 5 "
        "unless all candidates are right.\nEvery evaluation is a row of a journal, and the same command measures "
        "nothing again. docs/threat-model.md says what a candidate cannot do, and what it can.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(struct judge_values),
    .arguments_min = 1,
    .arguments_max = 65535,
    .run = run};
