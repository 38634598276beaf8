#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "tools/command.h"
#include "tools/output.h"
#include "tools/t1.h"

struct import_values {
    const char *t1, *output;
};

static const struct option_row rows[] = {
    {.name = "t1",
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct import_values, t1),
     .help = "T1 description of a tuning space (JSON) to read"},
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct import_values, output),
     .help = "space file to write; without it, standard output"},
};

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct import_values *wanted = values;
    struct text text = {0}, space = {0}, notes = {0};
    (void)arguments;
    (void)argument_count;
    if (!wanted->t1 || !*wanted->t1) {
        error_set(error, ERROR_USAGE, "import needs --t1 FILE");
        error_hint(error, "cutune import --t1 kernel.json -o kernel.space");
        return ERROR_USAGE;
    }
    int code = file_read(wanted->t1, T1_BYTES_MAX, &text, error);
    if (!code)
        code = t1_import(wanted->t1, text_string(&text), text.length, &space, &notes, error);
    if (!code)
        code = output_file(wanted->output, &space, error);
    for (const char *line = text_string(&notes), *end; !code && (end = strchr(line, '\n')); line = end + 1)
        fprintf(stderr, "cutune: %s: not imported: %.*s\n", wanted->t1, (int)(end - line), line);
    text_free(&text);
    text_free(&space);
    text_free(&notes);
    return code;
}

const struct command command_import = {.name = "import",
                                       .arguments = "",
                                       .summary = "make a space file from a T1 description",
                                       .options = rows,
                                       .option_count = sizeof rows / sizeof *rows,
                                       .values_size = sizeof(struct import_values),
                                       .run = run};
