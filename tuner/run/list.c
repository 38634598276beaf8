#include "run/list.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "evaluate/rows.h"
#include "journal/journal_outcomes.h"
#include "run/run_state.h"
#include "search/strategy.h"

struct item {
    uint64_t index;
    uint32_t choices[SPACE_PARAMETERS_MAX];
};

/* Reads all configurations before the first is measured. Marks invalid ones as done. */
static int read_list(const struct run_setup *setup, const struct list_work *work, struct item *items,
                     struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < work->count && !code; i++) {
        work->done[i] = false;
        code = space_config_parse(setup->space, work->configurations[i], items[i].choices, error);
    }
    for (size_t i = 0; i < work->count && !code; i++) {
        struct measurement *invalid = &work->measurements[i];
        if (valid_set_find(setup->set, items[i].choices, &items[i].index))
            continue;
        *invalid = measurement_unknown(STATUS_PRUNED_LIMIT);
        invalid->proposer = work->proposer;
        measurement_explain(invalid, "not valid on this device");
        work->done[i] = true;
        code = setup->journal ? rows_append(setup->journal, setup->space, items[i].choices, invalid, NULL, error) : 0;
    }
    return code;
}

static int measure(struct search_run *run, const struct list_work *work, const struct item *items, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < work->count && !code && !run_stop_asked(run); i++)
        if (!work->done[i] && !(code = run_await_room(run, error)) && !run_stop_asked(run)) {
            struct outcome *outcome = outcomes_get(&run->outcomes, items[i].index);
            code = outcome ? run_submit(run, outcome, true, error) : error_memory(error);
        }
    if (!code)
        code = run_drain(run, error);
    for (size_t i = 0; i < work->count; i++) {
        const struct outcome *outcome = work->done[i] ? NULL : outcomes_find(&run->outcomes, items[i].index);
        if (!outcome || !outcome->last)
            continue;
        work->measurements[i] = *outcome->last;
        work->done[i] = true;
    }
    return code;
}

int list_measure(const struct run_setup *setup, const struct list_work *work, struct error *error)
{
    struct run_progress progress = {.plan.strategy = &strategy_exhaustive, .default_index = UINT64_MAX};
    struct search_run run = {.setup = setup, .progress = &progress, .error = error, .proposer = work->proposer};
    struct item *items = calloc(work->count + 1, sizeof *items);
    int code = items ? read_list(setup, work, items, error) : error_memory(error);
    run.start_ns = run_now(&run);
    for (size_t i = 0; i < work->count && !code; i++)
        progress.total += !work->done[i];
    if (!code)
        code = measure(&run, work, items, error);
    outcomes_free(&run.outcomes);
    arena_free(&run.arena);
    free(items);
    return code ? code : run.told;
}

static bool has_row(const struct journal *journal, const char *configuration, enum proposer proposer, struct text *text)
{
    for (size_t row = 0; row < journal_row_count(journal); row++) {
        text_clear(text);
        if (journal_get_row(journal, row).measurement.proposer == proposer)
            journal_outcomes_text(journal, row, text);
        if (text->length && strcmp(text_string(text), configuration) == 0)
            return true;
    }
    return false;
}

int list_missing(const struct journal *journal, struct arena *arena, struct list_work *work, struct error *error)
{
    const char **missing = arena_array(arena, work->count + 1, sizeof *missing);
    struct text text = {0};
    size_t count = 0;
    if (!missing)
        return error_memory(error);
    for (size_t i = 0; i < work->count; i++)
        if (!has_row(journal, work->configurations[i], work->proposer, &text))
            missing[count++] = work->configurations[i];
    bool failed = text.failed;
    text_free(&text);
    work->configurations = missing;
    work->count = count;
    return failed ? error_memory(error) : 0;
}

int list_check(const struct journal *journal, const char *now, struct error *error)
{
    if (strcmp(journal_get_header(journal)->provenance.fingerprint, now) == 0)
        return 0;
    error_set(error, ERROR_DATA, "%s was measured with another driver, compiler, source or space than now",
              journal_file(journal));
    error_hint(error, "tune again on this device, then compare with the new journal");
    return ERROR_DATA;
}
