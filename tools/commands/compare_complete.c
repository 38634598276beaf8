#include "commands/compare_complete.h"

#include <stdlib.h>
#include <string.h>

#include "commands/session_values.h"
#include "journal/journal.h"
#include "session/process_pool.h"

/* Ignores notes and results: the comparison is the result. */
static int listen_to(void *context, const struct session_event *event, struct error *error)
{
    (void)error;
    session_values_show(context, true, event);
    return 0;
}

/* Collects the winners that the run has not evaluated, each once. */
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

static int measure(const struct complete_setup *setup, struct process_pool *process_pool,
                   struct measured_runs *measured, const struct comparison *comparison, size_t run, struct arena *arena,
                   size_t *added, struct error *error)
{
    const struct measured_run *measured_run = comparison->runs[run].measured_run;
    size_t *missing = arena_array(arena, comparison->run_count, sizeof *missing);
    const char **texts = arena_array(arena, comparison->run_count, sizeof *texts);
    struct session_list list = {.journal = measured_run->journal, .work = {.configurations = texts}};
    struct session_request request = {.replay = setup->replay,
                                      .device = setup->device,
                                      .process_pool = process_pool,
                                      .list = &list,
                                      .stop = setup->stop,
                                      .listener = listen_to,
                                      .context = setup->progress};
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
    int code = session_values_again(&request, arena, &measured_run->provenance, setup->space, setup->untrusted, error);
    if (!code)
        code = session_run(&request, error);
    for (size_t i = 0; i < work->count && !code; i++)
        if (work->done[i]) {
            code = measured_run_append(measured, comparison->runs[run].number, texts[i], &work->measurements[i], error);
            ++*added;
        }
    return code;
}

int compare_complete(const struct complete_setup *setup, struct measured_runs *measured,
                     const struct comparisons *comparisons, size_t *added, struct error *error)
{
    struct arena arena = {0};
    struct process_pool process_pool = {0};
    struct journal *replayed = NULL;
    const char *name = "";
    bool any = false;
    int code = setup->replay ? journal_read(&replayed, setup->replay, error)
                             : process_pool_open_device(&process_pool, setup->device, error);
    if (!code)
        name = (replayed ? &journal_get_header(replayed)->provenance.device : device_limits(process_pool.devices[0]))
                   ->name;
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
        code = measure(setup, &process_pool, measured, comparison, last, &arena, added, error);
    }
    if (!code && !any) {
        code = error_set(error, ERROR_NOT_FOUND, "--complete: no journal is of the device at hand, %.200s", name);
        error_hint(error, "tune on it first, then name its journal (in cutune.d)");
    }
    journal_close(replayed, NULL);
    process_pool_close(&process_pool);
    arena_free(&arena);
    return code;
}
