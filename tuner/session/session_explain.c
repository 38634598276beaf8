#include <stdlib.h>
#include <string.h>

#include "analyse/explain_input.h"
#include "base/clock.h"
#include "base/timeline.h"
#include "evaluate/rows.h"
#include "session/session_state.h"

/* Leaves time for ending the profiler. */
static const int64_t limit_ns = SESSION_EXPLAIN_S * (int64_t)1000000000 - 200000000;

/* Starting the profiler takes about as long. */
static const int64_t least_ns = 1000000000;

/* Collects evidence about configurations; the callback receives their indices. */
struct collecting {
    struct session *session;
    uint64_t *indices;
    size_t *numbers; /* of the configurations in `explained`, or in the list */
    size_t count;
    struct explain_input *explained; /* NULL: for the list */
    const char *no_counters;         /* of the last configuration */
};

/* Adds a configuration, unless it is invalid here. */
static bool want(struct collecting *collecting, const char *configuration, size_t number)
{
    const struct session *session = collecting->session;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    uint64_t index;
    struct error unread = {0};
    if (space_config_parse(session->space, configuration, choices, &unread) ||
        !valid_set_find(session->set, choices, &index) || index == UINT64_MAX)
        return false;
    collecting->indices[collecting->count] = index;
    collecting->numbers[collecting->count++] = number;
    return true;
}

static size_t number_of(const struct collecting *collecting, uint64_t index)
{
    size_t i = 0;
    while (collecting->indices[i] != index)
        i++;
    return collecting->numbers[i];
}

static int take(void *context, const struct evaluator_evidence *evidence, struct error *error)
{
    struct collecting *collecting = context;
    struct session *session = collecting->session;
    size_t number = number_of(collecting, evidence->index);
    uint32_t choices[SPACE_PARAMETERS_MAX];
    collecting->no_counters = arena_copy(&session->arena, evidence->no_counters, strlen(evidence->no_counters));
    if (!evidence->launch_count)
        return 0;
    valid_set_get(session->set, evidence->index, choices);
    int code = session->journal ? rows_append_evidence(session->journal, session->space, choices, evidence->launches,
                                                       evidence->launch_count, error)
                                : 0;
    if (!code && collecting->explained)
        return explain_input_put(collecting->explained, number, evidence->launches, evidence->launch_count, error);
    const struct session_list *list = session->request->list;
    return code ? code
                : list->evidence(list->context, number, evidence->launches, evidence->launch_count,
                                 evidence->no_counters, error);
}

static int collect(struct collecting *collecting, int64_t until_ns, struct error *error)
{
    struct evaluator *evaluator = &collecting->session->evaluator;
    return collecting->count ? evaluator->ops->device->evidence(evaluator->state, collecting->indices,
                                                                collecting->count, until_ns, take, collecting, error)
                             : 0;
}

static int start_collecting(struct collecting *collecting, struct session *session, size_t room, struct error *error)
{
    *collecting = (struct collecting){.session = session,
                                      .indices = arena_array(&session->arena, room + 1, sizeof *collecting->indices),
                                      .numbers = arena_array(&session->arena, room + 1, sizeof *collecting->numbers)};
    return collecting->indices && collecting->numbers ? 0 : error_memory(error);
}

/* ---- After a search ---- */

static int collect_missing(struct session *session, struct explain_input *explained, int64_t begin_ns,
                           struct error *error)
{
    size_t count = explained->input.count;
    struct collecting collecting;
    int code = start_collecting(&collecting, session, count, error);
    if (code)
        return code;
    collecting.explained = explained;
    for (size_t i = 0; i < count; i++)
        if (explain_input_lacks(explained, i, session->run.fresh > 0))
            want(&collecting, explained->configurations[i].configuration, i);
    int64_t left_ns = session_left_ns(session);
    if (collecting.count)
        session_wait(session, "the reasons why the winner is the fastest");
    code = collect(&collecting, begin_ns + (left_ns < limit_ns ? left_ns : limit_ns), error);
    if (collecting.no_counters && *collecting.no_counters)
        session_note(session, "no hardware counters: %s", collecting.no_counters);
    return code;
}

static int explain(struct session *session, const struct comparison *comparison, int64_t begin_ns, struct error *error)
{
    struct explain_input explained;
    const char *winner = session_config(session, session->run.best_index);
    int code = explain_input_open(&explained, comparison, 0, comparison_find(comparison, winner), NULL, 0, error);
    if (!code && !session->recorded && session->evaluator.ops->device)
        code = collect_missing(session, &explained, begin_ns, error);
    if (!code && !explain_input_lacks(&explained, 0, false))
        code = explain_input_make(&explained, error);
    if (!code && explained.explanation.why)
        session->why = arena_copy(&session->arena, explained.explanation.why, strlen(explained.explanation.why));
    explain_input_close(&explained);
    return code;
}

void session_explain(struct session *session)
{
    int64_t begin_ns = clock_now_ns();
    struct measured_runs measured = {0};
    struct comparisons comparisons = {0};
    struct error error = {0};
    if (session_left_ns(session) < least_ns)
        return;
    if (!session->request->explain || (!session->recorded && !session->evaluator.ops->device))
        return;
    int code = measured_runs_add(&measured,
                                 session->journal ? journal_file(session->journal) : session->request->replay, &error);
    if (!code)
        code = comparisons_make(&comparisons, &measured, NULL, &error);
    if (!code)
        code = explain(session, &comparisons.items[0], begin_ns, &error);
    if (code)
        session_note(session, "the winner is not explained: %s", error.message);
    comparisons_free(&comparisons);
    measured_runs_free(&measured);
    session->explain_ns = clock_now_ns() - begin_ns;
    timeline("coordinator", "winner explained");
}

/* ---- On request: configurations to measure first ---- */

/* Compares the list's run again, with all its rows in memory. */
static int compare(const struct session_list *list, struct error *error)
{
    const struct measured_runs run = {.items = &list->measured->items[list->run], .count = 1};
    comparisons_free(list->comparisons);
    return comparisons_make(list->comparisons, &run, NULL, error);
}

static int find_configuration(const struct session_list *list, const char *configuration, size_t *number,
                              struct error *error)
{
    *number = comparison_find(list->comparisons->items, configuration);
    return *number != COMPARISON_NONE
               ? 0
               : error_set(error, ERROR_NOT_FOUND, "the journal does not have '%.200s'", configuration);
}

/* Configurations to measure. */
struct wanted {
    const char **configurations;
    size_t count;
};

/* Adds a configuration, unless the journal has it. */
static int want_measured(struct wanted *wanted, struct session *session, uint64_t index, struct error *error)
{
    const char *configuration = session_config(session, index);
    if (!configuration)
        return error_memory(error);
    if (comparison_find(session->request->list->comparisons->items, configuration) == COMPARISON_NONE)
        wanted->configurations[wanted->count++] = configuration;
    return 0;
}

static int measure_wanted(struct session *session, const struct wanted *wanted, struct error *error)
{
    const struct session_list *list = session->request->list;
    struct measurement *measurements = arena_array(&session->arena, wanted->count + 1, sizeof *measurements);
    bool *done = arena_array(&session->arena, wanted->count + 1, sizeof *done);
    if (!measurements || !done)
        return error_memory(error);
    const struct run_setup setup = {.space = session->space,
                                    .set = session->set,
                                    .evaluator = &session->evaluator,
                                    .journal = session->journal,
                                    .stop = session->request->stop,
                                    .on = session_hear_run,
                                    .context = session};
    const struct list_work work = {wanted->configurations, wanted->count, measurements, done, PROPOSER_UNKNOWN};
    int code = wanted->count ? list_measure(&setup, &work, error) : 0, added = 0;
    for (size_t i = 0; i < wanted->count && !added; i++)
        if (done[i])
            added = measured_run_append(list->measured, list->run, wanted->configurations[i], &measurements[i], error);
    if (!added && wanted->count)
        added = compare(list, error);
    return code ? code : added;
}

/* A neighbour of the focus. */
struct near {
    uint64_t index;
    uint32_t steps; /* distance in the list of the parameter's values */
};

static int order_near(const void *left, const void *right)
{
    const struct near *a = left, *b = right;
    int order = (a->steps > b->steps) - (a->steps < b->steps);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

/* Returns the distance of two configurations that differ in one parameter. */
static uint32_t steps_between(const struct session *session, uint64_t one, uint64_t other)
{
    uint32_t a[SPACE_PARAMETERS_MAX], b[SPACE_PARAMETERS_MAX], steps = 0;
    valid_set_get(session->set, one, a);
    valid_set_get(session->set, other, b);
    for (size_t p = 0; p < session->space->parameter_count; p++)
        steps += a[p] > b[p] ? a[p] - b[p] : b[p] - a[p];
    return steps;
}

/* Measures the nearest values of each parameter first, up to the list's number of neighbours. */
static int measure_neighbours(struct session *session, uint64_t focus, struct error *error)
{
    size_t most = session->request->list->neighbours;
    size_t count = valid_set_neighbours(session->set, focus, NEIGHBOURS_ANY, NULL, 0);
    uint64_t *indices = arena_array(&session->arena, count + 1, sizeof *indices);
    struct near *nears = arena_array(&session->arena, count + 1, sizeof *nears);
    struct wanted wanted = {arena_array(&session->arena, count + 1, sizeof *wanted.configurations), 0};
    int code = indices && nears && wanted.configurations ? 0 : error_memory(error);
    if (code)
        return code;
    valid_set_neighbours(session->set, focus, NEIGHBOURS_ANY, indices, count);
    for (size_t i = 0; i < count; i++)
        nears[i] = (struct near){indices[i], steps_between(session, focus, indices[i])};
    qsort(nears, count, sizeof *nears, order_near);
    for (size_t i = 0; i < count && i < most && !code; i++)
        code = want_measured(&wanted, session, nears[i].index, error);
    return code ? code : measure_wanted(session, &wanted, error);
}

/* Measures the valid configurations that are one step nearer to the focus. */
static int measure_nearer(struct session *session, const char *from, const char *focus, struct error *error)
{
    uint32_t here[SPACE_PARAMETERS_MAX], there[SPACE_PARAMETERS_MAX];
    struct wanted wanted = {
        arena_array(&session->arena, session->space->parameter_count + 1, sizeof *wanted.configurations), 0};
    int code = wanted.configurations ? space_config_parse(session->space, from, here, error) : error_memory(error);
    if (!code)
        code = space_config_parse(session->space, focus, there, error);
    for (size_t p = 0; p < session->space->parameter_count && !code; p++) {
        uint32_t choice = here[p];
        uint64_t index;
        here[p] = there[p];
        if (choice != there[p] && valid_set_find(session->set, here, &index) && index != UINT64_MAX)
            code = want_measured(&wanted, session, index, error);
        here[p] = choice;
    }
    return code ? code : measure_wanted(session, &wanted, error);
}

/* Measures the way from the default: each step goes to the fastest configuration that is one step nearer. */
static int measure_way(struct session *session, const char *focus, struct error *error)
{
    const struct session_list *list = session->request->list;
    const char *at = session_config(session, UINT64_MAX);
    int code = 0;
    for (size_t step = 0; at && *at && strcmp(at, focus) != 0 && step < session->space->parameter_count && !code;
         step++) {
        struct text text = {0};
        size_t next = COMPARISON_NONE;
        if ((code = measure_nearer(session, at, focus, error)))
            return code;
        const struct comparison *comparison = list->comparisons->items;
        size_t from = comparison_find(comparison, at), to = comparison_find(comparison, focus);
        if (from != COMPARISON_NONE && to != COMPARISON_NONE)
            next = explain_input_next(comparison, 0, from, to);
        if (next != COMPARISON_NONE)
            comparison_text(comparison, next, &text);
        at = next == COMPARISON_NONE ? NULL : arena_copy(&session->arena, text_string(&text), text.length);
        text_free(&text);
    }
    return code;
}

static bool stopped(const struct session *session)
{
    return session->request->stop && *session->request->stop;
}

static int measure_missing(struct session *session, const char *focus, struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    uint64_t index;
    int code = space_config_parse(session->space, focus, choices, error);
    if (code || !session->request->list->neighbours || !valid_set_find(session->set, choices, &index) ||
        index == UINT64_MAX)
        return code;
    code = measure_neighbours(session, index, error);
    return code || stopped(session) ? code : measure_way(session, focus, error);
}

/* ---- On request: evidence ---- */

/* Collects evidence about the focus, the requested configurations, the way and the first neighbours. */
static int collect_around(struct session *session, struct error *error)
{
    const struct session_list *list = session->request->list;
    struct explain_input explained = {0};
    struct collecting collecting;
    size_t focus = COMPARISON_NONE, *others = arena_array(&session->arena, list->work.count + 1, sizeof *others);
    int code = others ? find_configuration(list, list->focus, &focus, error) : error_memory(error);
    for (size_t i = 0; i < list->work.count && !code; i++)
        code = find_configuration(list, list->work.configurations[i], &others[i], error);
    if (!code)
        code = explain_input_open(&explained, list->comparisons->items, 0, focus, others, list->work.count, error);
    if (!code)
        code = start_collecting(&collecting, session, explained.input.count, error);
    if (!code) {
        collecting.explained = &explained;
        for (size_t i = 0; i < explained.input.count && i < explained.wanted + list->neighbours; i++)
            if (explain_input_lacks(&explained, i, true))
                want(&collecting, explained.configurations[i].configuration, i);
        code = collect(&collecting, INT64_MAX, error);
    }
    if (!code && collecting.no_counters)
        code = list->evidence(list->context, 0, NULL, 0, collecting.no_counters, error);
    explain_input_close(&explained);
    return code;
}

static int explain_around(struct session *session, struct error *error)
{
    const struct session_list *list = session->request->list;
    int code = compare(list, error);
    if (!code)
        code = measure_missing(session, list->focus, error);
    return code || stopped(session) ? code : collect_around(session, error);
}

int session_explain_list(struct session *session, struct error *error)
{
    const struct session_list *list = session->request->list;
    struct collecting collecting;
    session_tell(session, (struct session_event){.kind = SESSION_STARTED});
    if (!session->evaluator.ops->device)
        return error_set(error, ERROR_USAGE, "this evaluator has no evidence: explain needs a device");
    if (list->focus)
        return explain_around(session, error);
    int code = start_collecting(&collecting, session, list->work.count, error);
    for (size_t i = 0; i < list->work.count && !code; i++)
        if (!want(&collecting, list->work.configurations[i], i))
            session_note(session, "%s is not valid here: there is no evidence about it", list->work.configurations[i]);
    return code ? code : collect(&collecting, INT64_MAX, error);
}
