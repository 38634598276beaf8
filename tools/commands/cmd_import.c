#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/damage.h"
#include "base/file.h"
#include "base/text.h"
#include "commands/find.h"
#include "exchange/formats.h"
#include "exchange/gzip.h"
#include "exchange/t1.h"
#include "terminal/command.h"
#include "terminal/output.h"

enum { FILE_BYTES_MAX = INT_MAX - 1 };

struct import_values {
    const char *output;
    const char *kernel, *device, *problem, *default_, *unit;
    const char *time, *status, *compile_time, *samples, *parameters;
    struct option_list measure_time, ignore;
    bool no_kernel, untrusted;
};

#define FIELD(field) .offset = offsetof(struct import_values, field)
static const struct option_row rows[] = {
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(output),
     .help = "space file or journal to write; by default, standard output"},
    {.name = "no-kernel",
     .type = OPTION_FLAG,
     FIELD(no_kernel),
     .help = "only the parameters, conditions and defaults of a T1 description"},
    {.name = "untrusted",
     .type = OPTION_FLAG,
     FIELD(untrusted),
     .help = "refuse a T1 description whose space would run nvcc, or names files outside of its folder"},
    {.name = "time",
     .argument = "COLUMN",
     .type = OPTION_TEXT,
     FIELD(time),
     .help = "column of a table with the time of each configuration"},
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
    {.name = "params",
     .argument = "COLUMN,...",
     .type = OPTION_TEXT,
     FIELD(parameters),
     .help = "columns that are the parameters; by default, all that no option names"},
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
     .help = "kernel of the journal; by default, what the file says, or the file's name"},
    {.name = "device",
     .argument = "NAME",
     .type = OPTION_TEXT,
     FIELD(device),
     .help = "device of the recorded results; by default, what the file says"},
    {.name = "problem",
     .argument = "TEXT",
     .type = OPTION_TEXT,
     FIELD(problem),
     .help = "problem of the recorded results, as in \"ROWS=8192 COLS=8192\"; if a table has columns of these names, "
             "only the rows with these values count"},
    {.name = "default",
     .argument = "CONFIG",
     .type = OPTION_TEXT,
     FIELD(default_),
     .help = "default configuration of the journal, as in \"TILE=16 PAD=0\""},
};

/* Options without effect on a file, by its kind. */
static const char *const unused[EXCHANGE_KINDS] = {
    [EXCHANGE_SPACE] = "time status compile-time measure-time samples ignore params unit kernel device problem default",
    [EXCHANGE_RESULTS] = "no-kernel untrusted time status compile-time measure-time samples ignore params",
    [EXCHANGE_TABLE] = "no-kernel untrusted",
};

static bool is_given(const struct option_row *row, const struct import_values *values)
{
    const void *field = (const char *)values + row->offset;
    if (row->type == OPTION_FLAG)
        return *(const bool *)field;
    return row->type == OPTION_LIST ? ((const struct option_list *)field)->count > 0
                                    : *(const char *const *)field != NULL;
}

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (; *words; words += strcspn(words, " "), words += strspn(words, " "))
        if (strncmp(words, word, length) == 0 && (!words[length] || words[length] == ' '))
            return true;
    return false;
}

static int check_options(const struct import_values *values, const char *path, const struct exchange_format *format,
                         struct error *error)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is_given(&rows[i], values) && has_word(unused[format->kind], rows[i].name)) {
            error_set(error, ERROR_USAGE, "--%s does not apply to %s", rows[i].name, format->name);
            error_place(error, path, 0, 0);
            return ERROR_USAGE;
        }
    return 0;
}

/* ---- The file ---- */

struct file {
    const char *path;
    struct text text;
    enum damage_role role; /* by its first character */
    const struct exchange_format *format;
};

static int recognise(struct file *file, const struct import_values *values, struct error *error)
{
    const char *text = text_string(&file->text);
    file->format = exchange_recognise(text, file->text.length);
    bool table = file->format ? file->format->kind == EXCHANGE_TABLE : text[strspn(text, "\xef\xbb\xbf \t\r\n")] != '{';
    file->role = table ? DAMAGE_TABLE : DAMAGE_JSON;
    if (!file->format && table && values->time)
        file->format = &exchange_table;
    int code = file->format ? check_options(values, file->path, file->format, error)
                            : exchange_unknown(file->path, text, file->text.length, error);
    return file->format ? code : damage_explain(file->role, file->path, text, file->text.length, code, error);
}

static int read_file(struct file *file, const struct import_values *values, struct error *error)
{
    int code = file_read(file->path, FILE_BYTES_MAX, &file->text, error);
    if (!code)
        code = gzip_expand(file->path, FILE_BYTES_MAX, &file->text, error);
    return code ? code : recognise(file, values, error);
}

static int import_journal(const struct file *file, const struct import_values *values, struct error *error)
{
    struct text journal = {0}, notes = {0};
    const struct exchange_setup setup = {.path = file->path,
                                         .kernel = values->kernel,
                                         .device = values->device,
                                         .problem = values->problem,
                                         .default_ = values->default_,
                                         .unit = values->unit,
                                         .time = values->time,
                                         .status = values->status,
                                         .compile_time = values->compile_time,
                                         .samples = values->samples,
                                         .parameters = values->parameters,
                                         .measure_time = &values->measure_time,
                                         .ignore = &values->ignore,
                                         .notes = &notes};
    const char *text = text_string(&file->text);
    int code = damage_explain(file->role, file->path, text, file->text.length,
                              file->format->read(&setup, text, file->text.length, &journal, error), error);
    if (!code)
        code = output_file(values->output, &journal, error);
    for (const char *line = text_string(&notes), *end; !code && (end = strchr(line, '\n')); line = end + 1)
        output_note("%s: %.*s", file->path, (int)(end - line), line);
    text_free(&journal);
    text_free(&notes);
    return code;
}

static int import_space(const struct file *file, const struct import_values *values, struct error *error)
{
    struct text space = {0}, notes = {0};
    struct arena arena = {0};
    const char *script = find_script(&arena, "import_t1", error);
    int code = script ? 0 : (int)error->code;
    const char *output = values->output && strcmp(values->output, "-") != 0 ? values->output : NULL;
    const struct t1_setup setup = {.script = script,
                                   .path = file->path,
                                   .output = output,
                                   .no_kernel = values->no_kernel,
                                   .untrusted = values->untrusted};
    if (!code)
        code = damage_explain(DAMAGE_JSON, file->path, text_string(&file->text), file->text.length,
                              t1_import(&setup, &file->text, &space, &notes, error), error);
    if (!code)
        code = output_file(values->output, &space, error);
    for (const char *line = text_string(&notes), *end; !code && (end = strchr(line, '\n')); line = end + 1)
        output_note("%s: not imported: %.*s", file->path, (int)(end - line), line);
    text_free(&space);
    text_free(&notes);
    arena_free(&arena);
    return code;
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct import_values *wanted = values;
    struct file file = {.path = arguments[0]};
    (void)argument_count;
    int code = read_file(&file, wanted, error);
    bool space = !code && file.format->kind == EXCHANGE_SPACE;
    if (!code)
        code = output_check(wanted->output, space ? FILE_KIND_OTHER : FILE_KIND_JOURNAL, arguments, 1, error);
    if (!code)
        code = (space ? import_space : import_journal)(&file, wanted, error);
    text_free(&file.text);
    return code;
}

static const struct command_example examples[] = {
    {"cutune import kernel.json -o kernel.space", "make a space file of a T1 description"},
    {"cutune import results.json.gz -o results.csv", "make a journal of the results of another tuner"},
    {"cutune import table.csv --time time_ms --ignore std_ms --kernel convolution --device"
     " 'NVIDIA A100' -o results.csv",
     "make a journal of a table, whose other columns are the parameters"},
};

const struct command command_import = {.name = "import",
                                       .arguments = "FILE",
                                       .summary = "make a space file or a journal from files of other tools",
                                       .description =
                                           "cutune recognises the file by its content. A T1 description becomes a "
                                           "space, ready to tune. T4 results, caches of "
                                           "Kernel Tuner, results of KTT, CLBlast and nvbench, and any CSV table with "
                                           "a column of times become a journal, which "
                                           "`cutune --replay` searches. Each may be compressed by gzip.\n"
                                           "The options of columns are for tables, `--no-kernel` and `--untrusted` for "
                                           "T1 descriptions, and the others for all that "
                                           "becomes a journal: an option that does not suit the file is an error.",
                                       .examples = examples,
                                       .example_count = sizeof examples / sizeof *examples,
                                       .options = rows,
                                       .option_count = sizeof rows / sizeof *rows,
                                       .values_size = sizeof(struct import_values),
                                       .arguments_min = 1,
                                       .arguments_max = 1,
                                       .run = run};
