#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "exchange/exchange.h"
#include "exchange/t4.h"
#include "terminal/command.h"
#include "terminal/output.h"

struct export_values {
    const char *t4, *output;
};

static const struct option_row rows[] = {
    {.name = "t4",
     .argument = "JOURNAL",
     .type = OPTION_TEXT,
     .offset = offsetof(struct export_values, t4),
     .help = "journal to write as T4 results (JSON)"},
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct export_values, output),
     .help = "file to write; by default, standard output"},
};

static void tell_left_out(const struct journal *journal)
{
    const struct journal_header *header = journal_get_header(journal);
    int line;
    for (size_t i = 0; i < header->extra_count; i++)
        if (strcmp(header->extras[i], T4_COLUMN) != 0 &&
            (strcmp(header->extras[i], JOURNAL_SAMPLES) != 0 || (header->t4 && *header->t4)))
            output_note("%s: not exported: the column %s", journal_file(journal), header->extras[i]);
    if (journal_torn(journal, &line))
        output_note("%s:%d: the last line is incomplete and ignored", journal_file(journal), line);
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct export_values *wanted = values;
    struct journal *journal = NULL;
    struct text text = {0};
    (void)arguments;
    (void)argument_count;
    if (!wanted->t4) {
        error_set(error, ERROR_USAGE, "export needs --t4 JOURNAL");
        error_hint(error, "cutune export --t4 cutune.d/KERNEL.DEVICE.FINGERPRINT.csv -o results.json");
        return ERROR_USAGE;
    }
    int code = output_check(wanted->output, FILE_KIND_OTHER, &wanted->t4, 1, error);
    if (!code)
        code = journal_read(&journal, wanted->t4, error);
    if (!code)
        code = t4_export(journal, &text, error);
    if (!code)
        code = output_file(wanted->output, &text, error);
    if (!code)
        tell_left_out(journal);
    journal_close(journal, NULL);
    text_free(&text);
    return code;
}

static const struct command_example examples[] = {
    {"cutune export --t4 cutune.d/transpose.NVIDIA-H200.dcc9ad13a63e262d.csv -o results.json", "write a journal as T4"},
};

const struct command command_export = {.name = "export",
                                       .arguments = "",
                                       .summary = "write a journal in a format of other tools",
                                       .description = "cutune writes a journal as T4, the community's schema for "
                                                      "tuning results. A journal that came from T4 loses nothing.",
                                       .examples = examples,
                                       .example_count = sizeof examples / sizeof *examples,
                                       .options = rows,
                                       .option_count = sizeof rows / sizeof *rows,
                                       .values_size = sizeof(struct export_values),
                                       .run = run};
