#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/damage.h"
#include "base/file.h"
#include "base/text.h"
#include "commands/find.h"
#include "exchange/exchange.h"
#include "exchange/t1.h"
#include "terminal/command.h"
#include "terminal/output.h"

struct import_values {
    const char *t1, *t4, *csv, *output;
    const char *kernel, *device, *problem, *unit;
    const char *time, *status, *compile_time, *samples;
    struct option_list measure_time, ignore;
    bool no_kernel, untrusted;
};

#define FIELD(field) .offset = offsetof(struct import_values, field)
static const struct option_row rows[] = {
    {.name = "t1",
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(t1),
     .help = "T1 description of a kernel and its tuning space (JSON), for a space file"},
    {.name = "t4", .argument = "FILE", .type = OPTION_TEXT, FIELD(t4), .help = "T4 results (JSON), for a journal"},
    {.name = "csv",
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(csv),
     .help = "table of configurations and their times, for a journal; columns that no option names are parameters"},
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(output),
     .help = "space file or journal to write; by default, standard output"},
    {.name = "no-kernel",
     .type = OPTION_FLAG,
     FIELD(no_kernel),
     .help = "only the parameters, conditions and defaults of --t1"},
    {.name = "untrusted",
     .type = OPTION_FLAG,
     FIELD(untrusted),
     .help = "refuse a --t1 whose space would run nvcc, or names files outside of its folder"},
    {.name = "time",
     .argument = "COLUMN",
     .type = OPTION_TEXT,
     FIELD(time),
     .help = "column of --csv with the time of each configuration"},
    {.name = "status",
     .argument = "COLUMN",
     .type = OPTION_TEXT,
     FIELD(status),
     .help = "column with the status of each configuration; by default, those without a time failed"},
    {.name = "compile-time",
     .argument = "COLUMN",
     .type = OPTION_TEXT,
     FIELD(compile_time),
     .help = "column with the compilation time"},
    {.name = "measure-time",
     .argument = "COLUMN",
     .type = OPTION_LIST,
     FIELD(measure_time),
     .help = "column with the time for verifying or measuring; may be repeated, and the times are added up"},
    {.name = "samples",
     .argument = "COLUMN",
     .type = OPTION_TEXT,
     FIELD(samples),
     .help = "column with the number of samples behind a time"},
    {.name = "ignore",
     .argument = "COLUMN",
     .type = OPTION_LIST,
     FIELD(ignore),
     .help = "column to leave out, not a parameter; may be repeated"},
    {.name = "unit",
     .argument = "ns|us|ms|s",
     .type = OPTION_CHOICE,
     FIELD(unit),
     .choices = "ns|us|ms|s",
     .help = "unit of times if neither the file nor a column's name, like time_ms, gives it"},
    {.name = "kernel",
     .argument = "NAME",
     .type = OPTION_TEXT,
     FIELD(kernel),
     .help = "kernel of the journal; by default, the name of the file"},
    {.name = "device",
     .argument = "NAME",
     .type = OPTION_TEXT,
     FIELD(device),
     .help = "device of the recorded results"},
    {.name = "problem",
     .argument = "TEXT",
     .type = OPTION_TEXT,
     FIELD(problem),
     .help = "problem of the recorded results, as in \"ROWS=8192 COLS=8192\""},
};

static int check_usage(const struct import_values *values, struct error *error)
{
    if (!!values->t1 + !!values->t4 + !!values->csv != 1) {
        error_set(error, ERROR_USAGE, "import needs one of --t1 FILE, --t4 FILE and --csv FILE");
        error_hint(error, "cutune import --t4 results.json -o journal.csv");
        return ERROR_USAGE;
    }
    if (values->csv && !values->time) {
        error_set(error, ERROR_USAGE, "--csv needs --time COLUMN");
        error_hint(error, "cutune import --csv table.csv --time time_ms -o journal.csv");
        return ERROR_USAGE;
    }
    return 0;
}

static int import_journal(const struct import_values *values, struct error *error)
{
    size_t repeated = 0;
    const struct exchange_setup setup = {.path = values->t4 ? values->t4 : values->csv,
                                         .kernel = values->kernel,
                                         .device = values->device,
                                         .problem = values->problem,
                                         .unit = values->unit,
                                         .time = values->time,
                                         .status = values->status,
                                         .compile_time = values->compile_time,
                                         .samples = values->samples,
                                         .measure_time = &values->measure_time,
                                         .ignore = &values->ignore,
                                         .repeated = &repeated};
    struct text text = {0}, journal = {0};
    int code = file_read(setup.path, values->t4 ? T4_BYTES_MAX : INT_MAX - 1, &text, error);
    if (!code)
        code = damage_explain(
            values->t4 ? DAMAGE_JSON : DAMAGE_TABLE, setup.path, text_string(&text), text.length,
            (values->t4 ? t4_import : table_import)(&setup, text_string(&text), text.length, &journal, error), error);
    if (!code)
        code = output_file(values->output, &journal, error);
    if (!code && repeated)
        output_note("%s: %zu configuration%s in several rows: each counts once, with the median of its times",
                    setup.path, repeated, repeated == 1 ? " is" : "s are");
    text_free(&text);
    text_free(&journal);
    return code;
}

static int import_space(const struct import_values *values, struct error *error)
{
    struct text text = {0}, space = {0}, notes = {0};
    struct arena arena = {0};
    const char *script = NULL;
    int code = file_read(values->t1, T1_BYTES_MAX, &text, error);
    if (!code && !(script = find_script(&arena, "import_t1", error)))
        code = (int)error->code;
    const char *output = values->output && strcmp(values->output, "-") != 0 ? values->output : NULL;
    const struct t1_setup setup = {.script = script,
                                   .path = values->t1,
                                   .output = output,
                                   .no_kernel = values->no_kernel,
                                   .untrusted = values->untrusted};
    if (!code)
        code = damage_explain(DAMAGE_JSON, values->t1, text_string(&text), text.length,
                              t1_import(&setup, &text, &space, &notes, error), error);
    if (!code)
        code = output_file(values->output, &space, error);
    for (const char *line = text_string(&notes), *end; !code && (end = strchr(line, '\n')); line = end + 1)
        output_note("%s: not imported: %.*s", values->t1, (int)(end - line), line);
    text_free(&text);
    text_free(&space);
    text_free(&notes);
    arena_free(&arena);
    return code;
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct import_values *wanted = values;
    (void)arguments;
    (void)argument_count;
    const char *inputs[] = {wanted->t1, wanted->t4, wanted->csv};
    int code = check_usage(wanted, error);
    if (!code)
        code = output_check(wanted->output, wanted->t1 ? FILE_KIND_OTHER : FILE_KIND_JOURNAL, inputs,
                            sizeof inputs / sizeof *inputs, error);
    if (code)
        return code;
    return wanted->t1 ? import_space(wanted, error) : import_journal(wanted, error);
}

/* Options without effect beside others. */
static const struct option_mode modes[] = {
    {.beside = "t1", .unused = "time status compile-time measure-time samples ignore unit kernel device problem"},
    {.beside = "t4", .unused = "time status compile-time measure-time samples ignore no-kernel untrusted"},
    {.beside = "csv", .unused = "no-kernel untrusted"},
};

static const struct command_example examples[] = {
    {"cutune import --t1 kernel.json -o kernel.space", "make a space file"},
    {"cutune import --t4 results.json -o results.csv", "make a journal of T4 results"},
    {"cutune import --csv table.csv --time time_ms --ignore std_ms --kernel convolution --device"
     " 'NVIDIA A100' -o results.csv",
     "make a journal of a table, whose other columns are the parameters"},
};

const struct command command_import = {
    .name = "import",
    .arguments = "",
    .summary = "make a space file or a journal from formats of other tools",
    .description =
        "cutune makes a space of a T1 description, ready to tune, and a journal of T4 results or of a CSV table. "
        "`cutune --replay` searches such a journal.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .modes = modes,
    .mode_count = sizeof modes / sizeof *modes,
    .values_size = sizeof(struct import_values),
    .run = run};
