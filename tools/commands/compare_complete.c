#include "commands/compare_complete.h"

#include <stdlib.h>
#include <string.h>

#include "commands/tune.h"
#include "db/journal.h"
#include "device/device.h"
#include "terminal/command.h"

extern const struct command command_tune;

/* The name of the device that answers. */
static int device_name(const struct complete_setup *setup, struct arena *arena, const char **name, struct error *error)
{
    struct journal *journal = NULL;
    struct device *device = NULL;
    const struct device_limits *limits = NULL;
    int code =
        setup->replay ? journal_read(&journal, setup->replay, error) : device_open(&device, (int)setup->device, error);
    if (!code)
        limits = setup->replay ? &journal_get_header(journal)->limits : device_limits(device);
    if (!code && !(*name = arena_copy(arena, limits->name, strlen(limits->name))))
        code = error_memory(error);
    journal_close(journal, NULL);
    device_close(device);
    return code;
}

/* The words of "A=1 B=2", in memory of the arena. */
static size_t split_words(struct arena *arena, const char *text, const char **words, size_t room)
{
    size_t count = 0;
    for (text += strspn(text, " "); *text && count < room; text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");
        words[count] = arena_copy(arena, text, length);
        count += words[count] != NULL;
        text += length;
    }
    return count;
}

/* The options of `tune` under which the journal's numbers were measured: what it notes as "timeout=30 ..." are their
 * names. One that is none of its options is part of the fingerprint all the same, which is compared before measuring.
 */
static int make_values(const struct complete_setup *setup, const struct measured_run *measured_run, struct arena *arena,
                       struct tune_values *values, struct error *error)
{
    const char *words[OPTION_LIST_MAX];
    int code = option_defaults(command_tune.options, command_tune.option_count, values, error);
    size_t count = split_words(arena, measured_run->options, words, OPTION_LIST_MAX);
    for (size_t w = 0; w < count && !code; w++) {
        size_t name = strcspn(words[w], "=");
        for (size_t i = 0; i < command_tune.option_count && words[w][name] && !code; i++)
            if (strncmp(command_tune.options[i].name, words[w], name) == 0 && !command_tune.options[i].name[name])
                code = option_set(&command_tune.options[i], values, words[w] + name + 1, error);
    }
    values->space = setup->space ? setup->space : measured_run->kernel;
    values->replay = setup->replay;
    values->device = setup->device;
    values->quiet = true;
    values->defines.count = split_words(arena, measured_run->problem, values->defines.items, OPTION_LIST_MAX);
    return code;
}

/* The winners that the run does not know, each once. */
static size_t find_missing(const struct comparison *comparison, size_t run, size_t *missing)
{
    size_t count = 0;
    for (size_t r = 0; r < comparison->run_count; r++) {
        size_t best = comparison->runs[r].best, at = 0;
        if (best == COMPARISON_NONE || comparison_cell(comparison, best, run, NULL) != CELL_UNKNOWN)
            continue;
        while (at < count && missing[at] != best)
            at++;
        missing[at] = best;
        count += at == count;
    }
    return count;
}

static int append(struct measured_runs *measured, const struct comparison *comparison, size_t run, size_t configuration,
                  const struct measurement *measurement, struct error *error)
{
    size_t number = comparison->runs[run].number, width = comparison->parameter_count;
    const struct measured_run *measured_run = &measured->items[number];
    const char **values = calloc(width + 1, sizeof *values);
    if (!values)
        return error_memory(error);
    for (size_t column = 0; column < width; column++)
        for (size_t p = 0; p < width; p++)
            if (strcmp(comparison->parameters[p].name, measured_run->parameters[column]) == 0)
                values[column] = comparison->parameters[p].values[comparison->choices[configuration * width + p]];
    int code = measured_run_append(measured, number, values, measurement, error);
    free(values);
    return code;
}

static int measure(const struct complete_setup *setup, struct measured_runs *measured,
                   const struct comparison *comparison, size_t run, struct arena *arena, size_t *added,
                   struct error *error)
{
    const struct measured_run *measured_run = comparison->runs[run].measured_run;
    size_t *missing = arena_array(arena, comparison->run_count, sizeof *missing);
    const char **texts = arena_array(arena, comparison->run_count, sizeof *texts);
    struct tune_values values = {0};
    struct tune_list list = {
        .journal = measured_run->path, .fingerprint = measured_run->fingerprint, .work = {.configurations = texts}};
    struct list_work *work = &list.work;
    work->measurements = arena_array(arena, comparison->run_count, sizeof *work->measurements);
    work->done = arena_array(arena, comparison->run_count, sizeof *work->done);
    if (!missing || !texts || !work->measurements || !work->done)
        return error_memory(error);
    work->count = find_missing(comparison, run, missing);
    if (!work->count)
        return 0;
    for (size_t i = 0; i < work->count; i++) {
        struct text text = {0};
        comparison_text(comparison, missing[i], &text);
        texts[i] = text.failed ? NULL : arena_copy(arena, text_string(&text), text.length);
        text_free(&text);
        if (!texts[i])
            return error_memory(error);
    }
    int code = make_values(setup, measured_run, arena, &values, error);
    if (!code)
        code = tune_once(
            &(struct tune_setup){
                .values = &values, .defines = values.defines.items, .stop = setup->stop, .count = 1, .list = &list},
            error);
    for (size_t i = 0; i < work->count && !code; i++)
        if (work->done[i]) {
            code = append(measured, comparison, run, missing[i], &work->measurements[i], error);
            ++*added;
        }
    return code;
}

int compare_complete(const struct complete_setup *setup, struct measured_runs *measured,
                     const struct comparisons *comparisons, size_t *added, struct error *error)
{
    struct arena arena = {0};
    const char *name = NULL;
    bool any = false;
    int code = device_name(setup, &arena, &name, error);
    *added = 0;
    for (size_t i = 0; i < comparisons->count && !code; i++) {
        const struct comparison *comparison = &comparisons->items[i];
        size_t last = comparison->run_count;
        for (size_t r = 0; r < comparison->run_count; r++)
            if (comparison->runs[r].measured_run->journal &&
                strcmp(comparison->runs[r].measured_run->device, name) == 0)
                last = r;
        if (last == comparison->run_count)
            continue;
        any = true;
        code = measure(setup, measured, comparison, last, &arena, added, error);
    }
    if (!code && !any) {
        code = error_set(error, ERROR_NOT_FOUND, "--complete: no journal is of the device at hand, %.200s", name);
        error_hint(error, "tune on it first, then name its journal (in cutune.d)");
    }
    arena_free(&arena);
    return code;
}
