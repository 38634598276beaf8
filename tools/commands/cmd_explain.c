#include <stdio.h>
#include <string.h>

#include "commands/explain_collect.h"
#include "commands/find.h"
#include "compare/compared.h"
#include "compare/explain.h"
#include "terminal/command.h"
#include "terminal/output_format.h"

struct explain_values {
    const char *kernel, *space, *collect, *counters, *format;
    struct option_list configs;
    int64_t neighbours;
    const char *device;
    bool untrusted;
};

#define FIELD(field) .offset = offsetof(struct explain_values, field)
static const struct option_row rows[] = {
    {.name = "kernel",
     .values = "kernels",
     .argument = "NAME",
     .type = OPTION_TEXT,
     FIELD(kernel),
     .help = "explain only this kernel"},
    {.name = "config",
     .argument = "CONFIG",
     .type = OPTION_LIST,
     FIELD(configs),
     .help = "explain this configuration, 'NAME=V NAME=V ...', instead of the winner; may be repeated, to explain the "
             "changes from the others to the first, too"},
    {.name = "collect",
     .argument = "yes|no",
     .type = OPTION_CHOICE,
     FIELD(collect),
     .choices = "yes|no",
     .default_ = "yes",
     .help = "collect what the journal lacks: times and evidence on its device or, without that device, evidence from "
             "machine code compiled for it"},
    {.name = "counters",
     .argument = "yes|no",
     .type = OPTION_CHOICE,
     FIELD(counters),
     .choices = "yes|no",
     .default_ = "yes",
     .help = "use hardware counters; no: explain from the launch and the machine code alone"},
    {.name = "neighbours",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(neighbours),
     .min = 0,
     .max = 100000,
     .default_ = "32",
     .help = "measure, and collect evidence about, at most N configurations that differ from the winner in one "
             "parameter; 0: measure none"},
    {.name = "space",
     .values = "templates",
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(space),
     .help = "the kernel's space, to collect evidence; by default, the one named like the kernel"},
    UNTRUSTED_OPTION(struct explain_values, untrusted),
    {.name = "device",
     .argument = "DEVICE",
     .type = OPTION_TEXT,
     FIELD(device),
     .default_ = "0",
     .help = "CUDA device, by number or UUID, to collect evidence on"},
    OUTPUT_FORMAT_OPTION(struct explain_values, format),
};

/* State of an explanation. */
struct explaining {
    const struct explain_values *values;
    const struct output_format *format;
    struct arena arena;
    cJSON *rows;
    struct text text;
    struct process_pool process_pool;
    struct progress progress;
    size_t runs, explained;
};

/* Finds the configurations that --config names. */
static int find_configs(struct explaining *explaining, const struct comparison *comparison, size_t **configs,
                        struct error *error)
{
    const struct option_list *named = &explaining->values->configs;
    if (!(*configs = arena_array(&explaining->arena, named->count + 1, sizeof **configs)))
        return error_memory(error);
    for (size_t i = 0; i < named->count; i++)
        if (((*configs)[i] = comparison_find(comparison, named->items[i])) == COMPARISON_NONE) {
            error_set(error, ERROR_NOT_FOUND, "--config: no run of %s has '%.200s'", comparison->kernel,
                      named->items[i]);
            error_hint(error, "it needs all parameters, with values that were measured");
            return ERROR_NOT_FOUND;
        }
    return 0;
}

/* Collects missing evidence. A failure matters only if there is no evidence. */
static int collect(struct explaining *explaining, struct explain_input *explained, struct explain_collect *collected,
                   struct error *error)
{
    const struct explain_values *values = explaining->values;
    struct error failed = {0};
    collected->space = values->space;
    collected->device = values->device;
    collected->untrusted = values->untrusted;
    collected->counters = strcmp(values->counters, "yes") == 0;
    collected->neighbours = (size_t)values->neighbours;
    collected->process_pool = &explaining->process_pool;
    collected->progress = &explaining->progress;
    if (strcmp(values->collect, "no") == 0)
        return 0;
    int code = explain_collect(collected, explained, &failed);
    if (code == ERROR_INTERRUPTED || code == ERROR_MEMORY) {
        *error = failed;
        return code;
    }
    if (code && !explain_input_lacks(explained, 0, false))
        output_note("no more evidence is collected: %s", failed.message);
    else if (code)
        snprintf(collected->no_counters, sizeof collected->no_counters, "%s", failed.message);
    return 0;
}

static int no_evidence(const struct explain_input *explained, const struct explain_collect *collected,
                       struct error *error)
{
    const struct measured_run *run = explained->comparison->runs[explained->run].measured_run;
    error_set(error, ERROR_NOT_FOUND, "%s has no evidence about %s%s%s", run->path,
              explained->configurations[0].configuration, *collected->no_counters ? ": " : "", collected->no_counters);
    error_hint(error,
               "cutune explain collects it where it finds the kernel's space (--space), with hardware counters on "
               "the device %s",
               run->provenance.device.name);
    return ERROR_NOT_FOUND;
}

static int print(struct explaining *explaining, const struct explain_input *explained,
                 const struct explain_collect *collected, struct error *error)
{
    const struct output_format *format = explaining->format;
    if (format->people) {
        if (explaining->explained)
            text_append(&explaining->text, "\n", 1);
        explain_text(&(struct explain_shown){explained, collected->no_counters}, !format->prose, &explaining->text);
        return explaining->text.failed ? error_memory(error) : 0;
    }
    if (!format->nested) {
        explain_rows(explained, explaining->rows);
        return 0;
    }
    cJSON *object = explain_object(explained);
    return object && cJSON_AddItemToArray(explaining->rows, object) ? 0 : error_memory(error);
}

static int open_explain_input(struct explaining *explaining, const struct comparison *comparison, size_t run,
                              struct explain_input *explained, struct error *error)
{
    size_t *configs, count = explaining->values->configs.count;
    int code = find_configs(explaining, comparison, &configs, error);
    return code ? code
                : explain_input_open(explained, comparison, run, count ? configs[0] : COMPARISON_NONE, configs + 1,
                                     count ? count - 1 : 0, error);
}

static int explain_run(struct explaining *explaining, struct measured_runs *measured,
                       const struct comparison *comparison, size_t run, struct error *error)
{
    struct explain_input explained = {0};
    struct comparisons grown = {0};
    struct explain_collect collected = {.measured = measured, .comparisons = &grown};
    int code = open_explain_input(explaining, comparison, run, &explained, error);
    if (!code)
        code = collect(explaining, &explained, &collected, error);
    if (!code && grown.count) { /* the winner may be another one, too */
        explain_input_close(&explained);
        code = open_explain_input(explaining, grown.items, 0, &explained, error);
    }
    if (!code && strcmp(explaining->values->counters, "no") == 0)
        code = explain_input_forget_counters(&explained, error);
    if (!code && explain_input_lacks(&explained, 0, false))
        code = no_evidence(&explained, &collected, error);
    if (!code)
        code = explain_input_make(&explained, error);
    if (!code)
        code = print(explaining, &explained, &collected, error);
    explaining->explained += code == 0;
    explain_input_close(&explained);
    comparisons_free(&grown);
    return code;
}

/* Notes runs without an explanation, if there are several runs. */
static int explain_runs(struct explaining *explaining, struct compared *compared, struct error *error)
{
    struct error failed = {0};
    int code = 0;
    for (size_t i = 0; i < compared->comparisons.count; i++)
        for (size_t run = 0; run < compared->comparisons.items[i].run_count; run++)
            explaining->runs += compared->comparisons.items[i].runs[run].measured_run->journal != NULL;
    for (size_t i = 0; i < compared->comparisons.count && code != ERROR_INTERRUPTED; i++) {
        const struct comparison *comparison = &compared->comparisons.items[i];
        for (size_t run = 0; run < comparison->run_count && code != ERROR_INTERRUPTED; run++) {
            if (!comparison->runs[run].measured_run->journal)
                continue;
            failed = (struct error){0};
            code = explain_run(explaining, &compared->measured, comparison, run, &failed);
            if (code && explaining->runs > 1)
                output_note("%s", failed.message);
        }
    }
    if (!explaining->runs)
        return error_set(error, ERROR_USAGE, "explain needs a journal: a database has no evidence");
    if (!explaining->explained || code == ERROR_INTERRUPTED) {
        *error = failed;
        return code ? code : (int)error->code;
    }
    return 0;
}

static int show(const struct explaining *explaining, struct error *error)
{
    struct text shown = {0};
    if (!explaining->format->people)
        return output_rows(explaining->rows, explaining->values->format, false, error);
    text_append_clean(&shown, text_string(&explaining->text), "\n", ' ');
    int code = explaining->format->prose ? output_lines(&shown, error) : output_file(NULL, &shown, error);
    text_free(&shown);
    return code;
}

static int run(const void *options, const char *const *arguments, size_t argument_count, struct error *error)
{
    static const char *const default_[] = {"cutune.d"};
    const struct explain_values *values = options;
    struct explaining explaining = {
        .values = values, .format = output_format(values->format), .rows = cJSON_CreateArray()};
    explaining.progress = progress_of_terminal(false);
    struct compared compared = {.work = progress_work(&explaining.progress)};
    int code = explaining.rows ? 0 : error_memory(error);
    if (!code)
        code = compared_load(&compared, argument_count ? arguments : default_, argument_count ? argument_count : 1,
                             values->kernel, error);
    if (code == ERROR_NOT_FOUND && !argument_count)
        error_hint(error, "name the journals to explain, or the folder of them");
    if (!code)
        code = explain_runs(&explaining, &compared, error);
    if (!code)
        code = show(&explaining, error);
    cJSON_Delete(explaining.rows);
    text_free(&explaining.text);
    compared_close(&compared);
    process_pool_close(&explaining.process_pool);
    arena_free(&explaining.arena);
    return code;
}

/* Options without effect beside others. */
static const struct option_mode modes[] = {
    {.beside = "collect=no", .unused = "neighbours space device"},
};

static const struct command_example examples[] = {
    {"cutune explain", "say why the winners in cutune.d are the fastest"},
    {"cutune explain --kernel transpose", "explain the winner of one kernel"},
    {"cutune explain --collect no --format json cutune.d", "write what the journals know, for other programs"},
};

const struct command command_explain = {
    .name = "explain",
    .arguments = "[JOURNAL...]",
    .summary = "say why the winner is the fastest; without JOURNAL, of the journals in cutune.d",
    .description =
        "cutune looks at the winner of a run, the default, and the configurations that differ from the winner in one "
        "parameter. It names the resource that binds each, and the bottleneck that each parameter removes. The "
        "evidence comes from hardware counters, or the times of a pipeline's stages, the launch and the machine code; "
        "rules with thresholds turn these numbers into sentences. Where no rule applies, it says so.\n"
        "A run collects this evidence for a few seconds (`--explain`); `cutune explain` collects the rest on the "
        "journal's device, and the journal keeps it. Without that device, it compiles the configurations for it and "
        "explains them from the machine code alone.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .modes = modes,
    .mode_count = sizeof modes / sizeof *modes,
    .values_size = sizeof(struct explain_values),
    .arguments_max = 1024,
    .run = run};
