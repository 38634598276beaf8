#include "compare/compared.h"
#include "report/report.h"
#include "terminal/command.h"
#include "terminal/output.h"

struct report_values {
    const char *kernel, *output;
    double margin_percent;
    int64_t top;
};

#define FIELD(field) .offset = offsetof(struct report_values, field)
static const struct option_row rows[] = {
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(output),
     .help = "file to write; by default, standard output"},
    {.name = "kernel",
     .values = "kernels",
     .argument = "NAME",
     .type = OPTION_TEXT,
     FIELD(kernel),
     .help = "report only this kernel"},
    {.name = "top",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(top),
     .min = 1,
     .max = 10000,
     .default_ = "100",
     .help = "list this many of the best configurations in a table"},
    {.name = "margin",
     .argument = "PCT",
     .type = OPTION_REAL,
     FIELD(margin_percent),
     .min = 0,
     .max = 100,
     .default_ = "1",
     .help = "treat two times as the same if their ratio is certainly within PCT per cent of 1"},
};

static int run(const void *options, const char *const *arguments, size_t argument_count, struct error *error)
{
    static const char *const default_[] = {"cutune.d"};
    const struct report_values *values = options;
    struct compared compared = {0};
    struct text page = {0};
    int code = output_check(values->output, KIND_OTHER, arguments, argument_count, error);
    if (!code)
        code = compared_load(&compared, argument_count ? arguments : default_, argument_count ? argument_count : 1,
                             values->kernel, error);
    if (code == ERROR_NOT_FOUND && !argument_count)
        error_hint(error, "name the journals, databases or folders to report on");
    if (!code)
        code = compared_find(&compared, (size_t)values->top, values->margin_percent / 100, error);
    if (!code) {
        compared_warn(&compared);
        code = report_page(compared.findings, compared.comparisons.count, (size_t)values->top, &page, error);
    }
    if (!code)
        code = output_file(values->output, &page, error);
    text_free(&page);
    compared_close(&compared);
    return code;
}

static const struct command_example examples[] = {
    {"cutune report -o report.html", "report on the journals in cutune.d"},
    {"cutune report before.csv after.csv -o report.html", "compare two runs in a report"},
};

const struct command command_report = {
    .name = "report",
    .arguments = "[FILE...]",
    .summary = "write a report on runs as one HTML page; without FILE, on the journals in cutune.d",
    .description = "cutune writes a page with charts of one run or of a comparison. The page needs no network "
                   "and no other file.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(struct report_values),
    .arguments_max = 1024,
    .run = run};
