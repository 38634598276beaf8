#include "tuner/list.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "db/journal_outcomes.h"
#include "evaluate/rows.h"

enum { BATCH = 16, LOOK_NS = 100000000 };

struct item {
    uint64_t index;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    bool submitted;
};

struct list {
    const struct list_setup *setup;
    const struct list_work *work;
    size_t in_flight;
    struct item *items;
};

static int take(struct list *list, size_t at, const struct measurement *measurement, struct error *error)
{
    struct measurement *result = &list->work->measurements[at];
    *result = *measurement;
    result->proposer = list->work->proposer;
    list->work->done[at] = true;
    if (!list->setup->journal)
        return 0;
    return rows_append(list->setup->journal, list->setup->space, list->items[at].choices, result, error);
}

/* Reads all configurations before the first is measured. */
static int read_list(struct list *list, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < list->work->count && !code; i++) {
        list->work->done[i] = false;
        code = space_config_parse(list->setup->space, list->work->configurations[i], list->items[i].choices, error);
    }
    for (size_t i = 0; i < list->work->count && !code; i++) {
        struct measurement invalid = measurement_unknown(STATUS_PRUNED_LIMIT);
        if (valid_set_find(list->setup->set, list->items[i].choices, &list->items[i].index))
            continue;
        measurement_explain(&invalid, "not valid on this device");
        list->items[i].submitted = true;
        code = take(list, i, &invalid, error);
    }
    return code;
}

static int submit(struct list *list, struct error *error)
{
    const struct evaluator *evaluator = list->setup->evaluator;
    int code = 0;
    for (size_t i = 0; i < list->work->count && !code && evaluator->ops->room(evaluator->state, false); i++) {
        if (list->items[i].submitted || (list->setup->stop && *list->setup->stop))
            continue;
        list->items[i].submitted = true;
        list->in_flight++;
        code = evaluator->ops->submit(evaluator->state, list->items[i].index, true, EVALUATOR_ANY_DEVICE, error);
    }
    return code;
}

static int collect(struct list *list, struct error *error)
{
    const struct evaluator *evaluator = list->setup->evaluator;
    struct evaluation ended[BATCH];
    size_t count = 0;
    int code = evaluator->ops->wait(evaluator->state, clock_now_ns() + LOOK_NS, ended, BATCH, &count, error);
    for (size_t e = 0; e < count; e++) {
        size_t at = 0;
        while (!list->items[at].submitted || list->work->done[at] || list->items[at].index != ended[e].index)
            at++;
        list->in_flight--;
        int taken = take(list, at, &ended[e].measurement, error);
        code = code ? code : taken;
    }
    return code;
}

int list_measure(const struct list_setup *setup, const struct list_work *work, struct error *error)
{
    struct list list = {setup, work, 0, calloc(work->count + 1, sizeof *list.items)};
    int code = list.items ? read_list(&list, error) : error_memory(error);
    while (!code) {
        code = submit(&list, error);
        if (code || !list.in_flight)
            break;
        code = collect(&list, error);
    }
    free(list.items);
    return code;
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
