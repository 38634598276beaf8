#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/command.h"
#include "tools/compare.h"
#include "tools/compare_complete.h"
#include "tools/output.h"
#include "tools/stop.h"

struct compare_values {
    const char *kernel, *fail_on, *space, *replay, *format;
    double margin_percent;
    int64_t top, device;
    bool complete;
};

#define FIELD(field) .offset = offsetof(struct compare_values, field)
static const struct option_row rows[] = {
    {.name = "kernel", .argument = "NAME", .type = OPTION_TEXT, FIELD(kernel), .help = "compare only this kernel"},
    {.name = "top",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(top),
     .min = 1,
     .max = 10000,
     .standard = "5",
     .help = "how many of the configurations that are best over all devices are listed"},
    {.name = "margin",
     .argument = "PCT",
     .type = OPTION_REAL,
     FIELD(margin_percent),
     .min = 0,
     .max = 100,
     .standard = "1",
     .help = "two times are the same when their ratio is certain to be within PCT per cent of 1"},
    {.name = "fail-on",
     .argument = "slower|ambiguous",
     .type = OPTION_CHOICE,
     FIELD(fail_on),
     .choices = "slower|ambiguous",
     .help = "exit with 1 when the best, the first run's best or the default is slower in a later run of the same "
             "device; with ambiguous, also when that cannot be excluded"},
    {.name = "complete",
     .type = OPTION_FLAG,
     FIELD(complete),
     .help =
         "measure on this machine's device the winners of other devices that its journal lacks, and add them to it"},
    {.name = "space",
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(space),
     .help = "with --complete: the kernel's space; without it, the one named like the kernel"},
    {.name = "device",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(device),
     .min = 0,
     .max = 1023,
     .standard = "0",
     .help = "with --complete: CUDA device to measure on"},
    {.name = "replay",
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(replay),
     .help = "with --complete: take the times from a recorded journal instead of measuring, and save nothing"},
    OUTPUT_FORMAT_OPTION(struct compare_values, format),
};

struct compare {
    const struct compare_values *values;
    struct arena arena;
    struct landscapes landscapes;
    struct comparisons comparisons;
    struct findings *findings; /* by comparison */
};

static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *format, ...)
{
    struct text text = {0};
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    output_visible(&text, line);
    fprintf(stderr, "cutune: %s\n", text_string(&text));
    text_free(&text);
}

/* What a reader of the numbers must know. */
static void warn(const struct compare *compare)
{
    for (size_t i = 0; i < compare->landscapes.count; i++)
        if (compare->landscapes.items[i].torn_line)
            note("%s:%d: the last line is torn and left out", compare->landscapes.items[i].path,
                 compare->landscapes.items[i].torn_line);
    if (compare->landscapes.other_objectives)
        note("%zu database rows of another objective than time are left out", compare->landscapes.other_objectives);
    for (size_t i = 0; i < compare->comparisons.count; i++) {
        const struct comparison *one = &compare->comparisons.items[i];
        for (size_t j = 0; j < i; j++)
            if (strcmp(one->kernel, compare->comparisons.items[j].kernel) == 0 &&
                strcmp(one->problem, compare->comparisons.items[j].problem) == 0)
                note("%s and %s have different parameters: compared apart", one->runs[0].landscape->path,
                     compare->comparisons.items[j].runs[0].landscape->path);
        for (size_t r = 1; r < one->run_count; r++)
            if (strcmp(one->runs[r].landscape->options, one->runs[0].landscape->options) != 0)
                note("%s and %s were measured in different ways: %s; %s", one->runs[0].landscape->path,
                     one->runs[r].landscape->path, one->runs[0].landscape->options, one->runs[r].landscape->options);
    }
}

static int load(struct compare *compare, const char *const *arguments, size_t count, struct error *error)
{
    const char *kernel = compare->values->kernel;
    int code = 0;
    for (size_t i = 0; i < count && !code; i++)
        code = landscapes_add(&compare->landscapes, arguments[i], error);
    if (!code)
        code = comparisons_make(&compare->comparisons, &compare->landscapes, kernel, error);
    if (code || compare->comparisons.count)
        return code;
    const char *near = NULL;
    error_set(error, ERROR_NOT_FOUND, "nothing is known of %s%.100s", kernel ? "the kernel " : "any kernel",
              kernel ? kernel : "");
    for (size_t i = 0; i < compare->landscapes.count && kernel && !near; i++)
        near = text_nearest(kernel, &compare->landscapes.items[i].kernel, 1);
    if (near)
        error_hint(error, "did you mean %s?", near);
    return ERROR_NOT_FOUND;
}

static int complete(struct compare *compare, struct error *error)
{
    const struct compare_values *values = compare->values;
    size_t added = 0;
    int code = compare_complete(&(struct complete_setup){values->space, values->replay, values->device, stop_catch()},
                                &compare->landscapes, &compare->comparisons, &added, error);
    if (code)
        return code;
    note("%zu configurations %s", added, values->replay ? "replayed, nothing is saved" : "measured now");
    comparisons_free(&compare->comparisons);
    return comparisons_make(&compare->comparisons, &compare->landscapes, values->kernel, error);
}

static int find(struct compare *compare, struct error *error)
{
    size_t count = compare->comparisons.count;
    int code = 0;
    compare->findings = arena_array(&compare->arena, count, sizeof *compare->findings);
    if (!compare->findings)
        return error_memory(error);
    for (size_t i = 0; i < count && !code; i++)
        code = findings_make(&compare->findings[i], &compare->arena, &compare->comparisons.items[i],
                             (size_t)compare->values->top, compare->values->margin_percent / 100, error);
    return code;
}

static int print_text(const struct compare *compare, struct error *error)
{
    struct text text = {0}, shown = {0};
    for (size_t i = 0; i < compare->comparisons.count; i++) {
        if (i)
            text_append(&text, "\n\n", 2);
        compare_text(&compare->findings[i], &text);
    }
    output_visible(&shown, text_string(&text));
    int code = text.failed || shown.failed ? error_memory(error) : output_file(NULL, &shown, error);
    text_free(&text);
    text_free(&shown);
    return code;
}

static int print(const struct compare *compare, struct error *error)
{
    const char *format = compare->values->format;
    if (strcmp(format, "text") == 0)
        return print_text(compare, error);
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < compare->comparisons.count && list; i++)
        if (strcmp(format, "json") == 0)
            cJSON_AddItemToArray(list, compare_object(&compare->findings[i]));
        else
            compare_rows(&compare->findings[i], list);
    int code = output_rows(list, format, false, error);
    cJSON_Delete(list);
    return code;
}

/* --fail-on: an error when it strikes, and when there is nothing that it could strike at. */
static int judge(const struct compare *compare, struct error *error)
{
    const char *fail_on = compare->values->fail_on;
    size_t pairs = 0;
    for (size_t i = 0; i < compare->comparisons.count && fail_on; i++) {
        const struct findings *findings = &compare->findings[i];
        pairs += findings->change_count;
        for (size_t c = 0; c < findings->change_count; c++)
            for (int what = 0; what < CHANGE_COUNT; what++) {
                const struct change *change = &findings->changes[c];
                const struct change_row *row = &change->rows[what];
                bool struck = row->known && (row->ratio.verdict == VERDICT_SLOWER ||
                                             (row->ratio.verdict == VERDICT_AMBIGUOUS && *fail_on == 'a'));
                struck |= what == CHANGE_BEST && !row->known;
                if (struck)
                    return error_set(error, ERROR_REGRESSION, "%s, %s in %s: %s is %s (%.4f times)",
                                     findings->comparison->kernel, findings->comparison->problem,
                                     findings->comparison->runs[change->now].landscape->path,
                                     change_name((enum change_what)what),
                                     row->known ? verdict_name(row->ratio.verdict) : "unknown", row->ratio.ratio);
            }
    }
    if (!fail_on || pairs)
        return 0;
    error_set(error, ERROR_NOT_FOUND, "--fail-on: there are no two runs of one device, kernel and problem");
    error_hint(error, "name the earlier run first, then the later one");
    return ERROR_NOT_FOUND;
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    struct compare compare = {.values = values};
    if (!compare.values->complete && (compare.values->space || compare.values->replay))
        return error_set(error, ERROR_USAGE, "--space and --replay are for --complete");
    int code = load(&compare, arguments, argument_count, error);
    if (!code && compare.values->complete)
        code = complete(&compare, error);
    if (!code)
        code = find(&compare, error);
    if (!code) {
        warn(&compare);
        code = print(&compare, error);
    }
    if (!code)
        code = judge(&compare, error);
    comparisons_free(&compare.comparisons);
    landscapes_free(&compare.landscapes);
    arena_free(&compare.arena);
    return code;
}

const struct command command_compare = {
    .name = "compare",
    .arguments = "FILE...",
    .summary = "compare runs: winners, portability between GPUs, importance of parameters, regressions",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(struct compare_values),
    .arguments_min = 1,
    .arguments_max = 1024,
    .run = run};
