#include <string.h>

#include "analyse/explained.h"
#include "base/clock.h"
#include "base/timeline.h"
#include "evaluate/rows.h"
#include "tuner/session_state.h"

static const int64_t limit_ns = SESSION_EXPLAIN_S * (int64_t)1000000000;

/* Collects evidence about configurations, which the callback tells apart by their indices. */
struct collecting {
    struct session *session;
    uint64_t *indices;
    size_t *numbers; /* of the configurations in `explained`, or in the list */
    size_t count;
    struct explained *explained; /* NULL: for the list */
    const char *no_counters;     /* of the last one */
};

/* Adds a configuration, unless it is not valid here. */
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
        return explained_put(collecting->explained, number, evidence->launches, evidence->launch_count, error);
    const struct session_list *list = session->request->list;
    return code ? code
                : list->evidence(list->context, number, evidence->launches, evidence->launch_count,
                                 evidence->no_counters, error);
}

static int collect(struct collecting *collecting, int64_t until_ns, struct error *error)
{
    struct evaluator *evaluator = &collecting->session->evaluator;
    return collecting->count ? evaluator->ops->evidence(evaluator->state, collecting->indices, collecting->count,
                                                        until_ns, take, collecting, error)
                             : 0;
}

/* ---- After a search ---- */

static int collect_missing(struct session *session, struct explained *explained, int64_t begin_ns, struct error *error)
{
    size_t count = explained->input.count;
    struct collecting collecting = {.session = session,
                                    .indices = arena_array(&session->arena, count + 1, sizeof *collecting.indices),
                                    .numbers = arena_array(&session->arena, count + 1, sizeof *collecting.numbers),
                                    .explained = explained};
    if (!collecting.indices || !collecting.numbers)
        return error_memory(error);
    for (size_t i = 0; i < count; i++)
        if (explained_lacks(explained, i, session->run.fresh > 0))
            want(&collecting, explained->configurations[i].configuration, i);
    int code = collect(&collecting, begin_ns + limit_ns, error);
    if (collecting.no_counters && *collecting.no_counters)
        session_note(session, "no hardware counters: %s", collecting.no_counters);
    return code;
}

static int explain(struct session *session, const struct comparison *comparison, int64_t begin_ns, struct error *error)
{
    struct explained explained;
    const char *winner = session_config(session, session->run.best_index);
    int code = explained_open(&explained, comparison, 0, comparison_find(comparison, winner), NULL, 0, error);
    if (!code && !session->recorded && session->evaluator.ops->evidence)
        code = collect_missing(session, &explained, begin_ns, error);
    if (!code && !explained_lacks(&explained, 0, false))
        code = explained_make(&explained, error);
    if (!code && explained.explanation.why)
        session->why = arena_copy(&session->arena, explained.explanation.why, strlen(explained.explanation.why));
    explained_close(&explained);
    return code;
}

void session_explain(struct session *session)
{
    int64_t begin_ns = clock_now_ns();
    struct measured_runs measured = {0};
    struct comparisons comparisons = {0};
    struct error error = {0};
    if (!session->request->explain || (!session->recorded && !session->evaluator.ops->evidence))
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

/* ---- On request ---- */

int session_explain_list(struct session *session, struct error *error)
{
    const struct list_work *work = &session->request->list->work;
    struct collecting collecting = {
        .session = session,
        .indices = arena_array(&session->arena, work->count + 1, sizeof *collecting.indices),
        .numbers = arena_array(&session->arena, work->count + 1, sizeof *collecting.numbers)};
    if (!collecting.indices || !collecting.numbers)
        return error_memory(error);
    for (size_t i = 0; i < work->count; i++)
        if (!want(&collecting, work->configurations[i], i))
            session_note(session, "%s is not valid here: there is no evidence about it", work->configurations[i]);
    session_tell(session, (struct session_event){.kind = SESSION_STARTED});
    if (!session->evaluator.ops->evidence)
        return error_set(error, ERROR_USAGE, "there is no evidence about configurations that no device runs");
    return collect(&collecting, INT64_MAX, error);
}
