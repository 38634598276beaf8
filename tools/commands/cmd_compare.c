#include <string.h>

#include "commands/compare_complete.h"
#include "commands/compare_gate.h"
#include "commands/find.h"
#include "compare/compare.h"
#include "compare/compare_fits.h"
#include "compare/compared.h"
#include "terminal/command.h"
#include "terminal/output_format.h"
#include "terminal/progress.h"
#include "terminal/stop.h"

struct compare_values {
    const char *kernel, *fail_on, *space, *replay, *format;
    double margin_percent;
    int64_t top;
    const char *device;
    bool complete, untrusted;
};

#define FIELD(field) .offset = offsetof(struct compare_values, field)
static const struct option_row rows[] = {
    {.name = "kernel",
     .values = "kernels",
     .argument = "NAME",
     .type = OPTION_TEXT,
     FIELD(kernel),
     .help = "compare only this kernel"},
    {.name = "top",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(top),
     .min = 1,
     .max = 10000,
     .default_ = "5",
     .help = "list this many of the best configurations over all devices"},
    {.name = "margin",
     .argument = "PCT",
     .type = OPTION_REAL,
     FIELD(margin_percent),
     .min = 0,
     .max = 100,
     .default_ = "1",
     .help = "treat two times as the same if their ratio is certainly within PCT per cent of 1"},
    {.name = "fail-on",
     .argument = "slower|ambiguous",
     .type = OPTION_CHOICE,
     FIELD(fail_on),
     .choices = "slower|ambiguous",
     .help = "exit with 1 if the best, the best of the first run or the default is slower, fails or is missing in a "
             "later run of the same device. The first given file is the baseline of its device. A run before the last "
             "FILE without a comparable later run also fails; with ambiguous, so does a result whose intervals do not "
             "rule out that it is slower"},
    {.name = "complete",
     .type = OPTION_FLAG,
     FIELD(complete),
     .help = "measure on this machine's device the other devices' winners that its journal lacks, and add them to it"},
    {.name = "space",
     .values = "templates",
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(space),
     .help = "with --complete: the kernel's space; by default, the one named like the kernel"},
    UNTRUSTED_OPTION(struct compare_values, untrusted),
    {.name = "device",
     .argument = "DEVICE",
     .type = OPTION_TEXT,
     FIELD(device),
     .default_ = "0",
     .help = "with --complete: CUDA device, by number or UUID, to measure on"},
    {.name = "replay",
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(replay),
     .help = "with --complete: take the times from a recorded journal instead of measuring, and save nothing"},
    OUTPUT_FORMAT_OPTION(struct compare_values, format),
};

static int complete(const struct compare_values *values, struct progress *progress, struct compared *compared,
                    struct error *error)
{
    size_t added = 0;
    int code = compare_complete(&(struct complete_setup){values->space, values->replay, values->device,
                                                         values->untrusted, stop_requests, progress},
                                &compared->measured, &compared->comparisons, &added, error);
    if (code)
        return code;
    output_note("%zu configuration%s %s", added, added == 1 ? "" : "s",
                values->replay ? "replayed, nothing is saved" : "measured now");
    comparisons_free(&compared->comparisons);
    return comparisons_make(&compared->comparisons, &compared->measured, values->kernel, error);
}

static int print_text(const struct compared *compared, const char *kernel, bool prose, struct error *error)
{
    struct text text = {0}, shown = {0};
    for (size_t i = 0; i < compared->comparisons.count; i++) {
        if (i)
            text_append(&text, "\n\n", 2);
        (prose ? compare_text : compare_markdown)(&compared->findings[i], &text);
    }
    compare_fits_text(&compared->measured, kernel, !prose, &text);
    text_append_clean(&shown, text_string(&text), "\n", ' ');
    shown.failed |= text.failed;
    int code = prose ? output_lines(&shown, error) : output_file(NULL, &shown, error);
    text_free(&text);
    text_free(&shown);
    return code;
}

static int print(const struct compare_values *values, const struct compared *compared, struct error *error)
{
    const char *format = values->format;
    if (output_format(format)->people)
        return print_text(compared, values->kernel, output_format(format)->prose, error);
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < compared->comparisons.count && list; i++)
        if (output_format(format)->nested)
            cJSON_AddItemToArray(list, compare_object(&compared->findings[i]));
        else
            compare_rows(&compared->findings[i], list);
    if (list)
        (output_format(format)->nested ? compare_fits_objects : compare_fits_rows)(&compared->measured, values->kernel,
                                                                                   list);
    int code = output_rows(list, format, false, error);
    cJSON_Delete(list);
    return code;
}

static int run(const void *options, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct compare_values *values = options;
    struct progress progress = progress_of_terminal(false);
    struct compared compared = {.fits_alone = true, .work = progress_work(&progress)};
    if (!values->complete && (values->space || values->replay))
        return error_set(error, ERROR_USAGE, "--space and --replay are for --complete");
    if (values->fail_on && values->replay)
        return error_set(error, ERROR_USAGE, "--fail-on judges measurements: replayed times say nothing new");
    int code = compared_load(&compared, arguments, argument_count, values->kernel, error);
    if (!code && values->complete)
        code = complete(values, &progress, &compared, error);
    if (!code)
        code = compared_find(&compared, (size_t)values->top, values->margin_percent / 100, error);
    if (!code) {
        compared_warn(&compared);
        code = print(values, &compared, error);
    }
    if (!code && values->fail_on)
        code = compare_gate(values->fail_on, &compared, values->kernel, error);
    compared_close(&compared);
    return code;
}

/* Options without effect beside others. */
static const struct option_mode modes[] = {
    {.unless = "complete", .unused = "device untrusted"},
    {.beside = "replay", .unused = "device"},
};

static const struct command_example examples[] = {
    {"cutune compare a100/cutune.d h100/cutune.d", "show how portable the winners of two GPUs are"},
    {"cutune compare before.csv after.csv --fail-on slower",
     "fail if anything has become slower, for continuous integration"},
    {"cutune compare before.csv after.csv --format markdown", "write a comparison for a pull request"},
    {"cutune compare theirs.csv cutune.d --complete --space my.space", "measure the winners of other GPUs on this one"},
};

const struct command command_compare = {
    .name = "compare",
    .arguments = "FILE...",
    .summary = "compare runs: winners, portability between GPUs, importance of parameters, regressions",
    .description = "cutune lines up the runs of the same kernel, problem and parameters from journals and "
                   "databases, or folders of them. It shows the winners side by side, how portable they are "
                   "between GPUs, what changed between two runs of a device, and how much each parameter "
                   "matters. Fits over sizes stand side by side, with how well they choose.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .modes = modes,
    .mode_count = sizeof modes / sizeof *modes,
    .values_size = sizeof(struct compare_values),
    .arguments_min = 1,
    .arguments_max = 1024,
    .run = run};
