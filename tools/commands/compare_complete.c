#include "commands/compare_complete.h"

#include <stdlib.h>
#include <string.h>

#include "commands/run_request.h"
#include "db/journal.h"
#include "terminal/stop.h"
#include "tuner/workshop.h"

/* Ignores the events: the comparison is the result. */
static int listen_to(void *context, const struct session_event *event, struct error *error)
{
    (void)context, (void)error;
    if (event->kind == SESSION_STARTED)
        stop_in_order();
    return 0;
}

/* The name of the device that measures. */
static int device_name(const struct complete_setup *setup, struct workshop *workshop, struct arena *arena,
                       const char **name, struct error *error)
{
    struct journal *journal = NULL;
    const struct device_limits *limits = NULL;
    int code = setup->replay ? journal_read(&journal, setup->replay, error)
                             : workshop_open_device(workshop, setup->device, error);
    if (!code)
        limits = setup->replay ? &journal_get_header(journal)->provenance.device : device_limits(workshop->devices[0]);
    if (!code && !(*name = arena_copy(arena, limits->name, strlen(limits->name))))
        code = error_memory(error);
    journal_close(journal, NULL);
    return code;
}

/* The winners that the run has not evaluated, each once. */
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

static int measure(const struct complete_setup *setup, struct workshop *workshop, struct measured_runs *measured,
                   const struct comparison *comparison, size_t run, struct arena *arena, size_t *added,
                   struct error *error)
{
    const struct measured_run *measured_run = comparison->runs[run].measured_run;
    size_t *missing = arena_array(arena, comparison->run_count, sizeof *missing);
    const char **texts = arena_array(arena, comparison->run_count, sizeof *texts);
    struct session_list list = {.journal = measured_run->path,
                                .fingerprint = measured_run->provenance.fingerprint,
                                .work = {.configurations = texts}};
    struct session_request request = {.replay = setup->replay,
                                      .device = setup->device,
                                      .workshop = workshop,
                                      .list = &list,
                                      .stop = setup->stop,
                                      .listener = listen_to};
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
    int code = run_request(&request, arena, &measured_run->provenance, setup->space, setup->untrusted, error);
    if (!code)
        code = session_run(&request, error);
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
    struct workshop workshop = {0};
    const char *name = NULL;
    bool any = false;
    int code = device_name(setup, &workshop, &arena, &name, error);
    *added = 0;
    for (size_t i = 0; i < comparisons->count && !code; i++) {
        const struct comparison *comparison = &comparisons->items[i];
        size_t last = comparison->run_count;
        for (size_t r = 0; r < comparison->run_count; r++)
            if (comparison->runs[r].measured_run->journal &&
                strcmp(comparison->runs[r].measured_run->provenance.device.name, name) == 0)
                last = r;
        if (last == comparison->run_count)
            continue;
        any = true;
        code = measure(setup, &workshop, measured, comparison, last, &arena, added, error);
    }
    if (!code && !any) {
        code = error_set(error, ERROR_NOT_FOUND, "--complete: no journal is of the device at hand, %.200s", name);
        error_hint(error, "tune on it first, then name its journal (in cutune.d)");
    }
    workshop_close(&workshop);
    arena_free(&arena);
    return code;
}
