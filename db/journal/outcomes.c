#include "journal/outcomes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/random.h"

/* Limit for following originals of originals: a longer chain is a cycle, which no run writes. */
enum { ORIGINALS_MAX = 16 };

static const double reach = 1.02;

/* A configuration is stopped after two samples beyond the best by a quarter: they may be too long by that much. */
enum { HOPELESS_SAMPLES = 2 };
static const double hopeless = 1.25;

double outcomes_reach(const struct measurement *leader)
{
    const struct objective *objective = measurement_objective(leader);
    double end = measurement_worse_end(leader), least = measurement_reach(leader);
    return objective->higher_is_better ? (end - least) / reach : reach * end + least;
}

double outcomes_censored_end(const struct measurement *censored)
{
    double end = measurement_better_end(censored);
    if (isnan(end))
        return censored->value;
    if (censored->samples > HOPELESS_SAMPLES)
        return end;
    return measurement_objective(censored)->higher_is_better ? end * hopeless : end / hopeless;
}

bool outcomes_censored_counts(const struct measurement *censored, double value)
{
    return objective_better(measurement_objective(censored), value, outcomes_censored_end(censored));
}

/* ---- The table ---- */

static bool same(const void *outcomes, uint32_t item, const void *key)
{
    return ((const struct outcomes *)outcomes)->items[item].key == *(const uint64_t *)key;
}

int outcomes_order(const struct outcomes *outcomes, uint64_t a, uint64_t b)
{
    return outcomes->order ? outcomes->order(outcomes->reader, a, b) : (a > b) - (a < b);
}

struct outcome *outcomes_find(const struct outcomes *outcomes, uint64_t key)
{
    const struct hash_key wanted = {random_mix(0, key), same, outcomes, &key};
    uint32_t item = hash_table_find(&outcomes->table, &wanted);
    return item == HASH_TABLE_NONE ? NULL : &outcomes->items[item];
}

struct outcome *outcomes_get(struct outcomes *outcomes, uint64_t key)
{
    struct outcome *found = outcomes_find(outcomes, key);
    if (found)
        return found;
    const struct hash_key wanted = {random_mix(0, key), same, outcomes, &key};
    struct outcome *items = array_grow(outcomes->items, &outcomes->room, outcomes->count + 1, sizeof *items);
    uint32_t item = (uint32_t)outcomes->count;
    if (items)
        outcomes->items = items;
    if (!items || hash_table_put(&outcomes->table, &wanted, &item))
        return NULL;
    items[outcomes->count++] = (struct outcome){.key = key, .duplicate = OUTCOME_NO_DUPLICATE};
    return &items[item];
}

void outcomes_free(struct outcomes *outcomes)
{
    free(outcomes->items);
    hash_table_free(&outcomes->table);
    free(outcomes->scales);
    *outcomes = (struct outcomes){0};
}

/* ---- Sessions ---- */

/* The number of the current session. */
static uint32_t session_now(const struct outcomes *outcomes)
{
    return outcomes->session_count ? (uint32_t)outcomes->session_count - 1 : 0;
}

/* The factor that converts a time of that session to one of the last session. */
static double scale_of(const struct outcomes *outcomes, uint32_t session)
{
    if (session == session_now(outcomes))
        return 1;
    return outcomes->scales[session_now(outcomes)] / outcomes->scales[session];
}

static int begin_session(struct outcomes *outcomes, double ratio, struct error *error)
{
    if (outcomes->session_count + 1 >= outcomes->session_room) {
        size_t room = 2 * outcomes->session_room + 4;
        double *scales = realloc(outcomes->scales, room * sizeof *scales);
        if (!scales)
            return error_memory(error);
        outcomes->scales = scales;
        outcomes->session_room = room;
    }
    if (!outcomes->session_count)
        outcomes->scales[outcomes->session_count++] = 1;
    double scale = outcomes->scales[outcomes->session_count - 1] * ratio;
    if (isnormal(scale) && isnormal(1 / scale)) /* ignore absurd ratios */
        outcomes->scales[outcomes->session_count++] = scale;
    return 0;
}

static void scale(struct measurement *measurement, double by)
{
    measurement->value *= by;
    measurement->low *= by;
    measurement->high *= by;
    measurement->mean_ns *= by;
    measurement->run_ns *= by;
}

/* ---- The outcome of a configuration ---- */

const struct outcome *outcomes_original(const struct outcomes *outcomes, const struct outcome *outcome,
                                        enum outcome_part part)
{
    const struct outcome *at = outcome;
    for (int i = 0; i < ORIGINALS_MAX; i++) {
        if (at->duplicate == OUTCOME_NO_DUPLICATE || (part == OUTCOME_KNOWN_AS && at->final))
            return at;
        const struct outcome *original = outcomes_find(outcomes, at->duplicate);
        if (!original || !original->last)
            return at;
        at = original;
    }
    return outcome;
}

static const struct measurement *row_of(const struct outcome *outcome, enum outcome_part part, uint32_t *session)
{
    bool final = part == OUTCOME_KNOWN_AS && outcome->final;
    *session = final ? outcome->final_session : outcome->session;
    return final ? outcome->final : outcome->last;
}

enum outcome_class outcomes_class(const struct outcomes *outcomes, const struct outcome *outcome)
{
    return outcome->last ? measurement_class(outcomes_original(outcomes, outcome, OUTCOME_OF_SEARCH)->last)
                         : OUTCOME_UNKNOWN;
}

/* Turns the original's measurement into that of its duplicate. */
static void become_duplicate(struct measurement *measurement, const struct measurement *own)
{
    size_t length;
    const char *name = measurement_duplicate(own, &length);
    char original[sizeof own->message], reason[sizeof measurement->message];
    snprintf(original, sizeof original, "%.*s", name ? (int)length : 0, name ? name : "");
    snprintf(reason, sizeof reason, "%s", measurement->message);
    if (measurement->status == STATUS_OK)
        measurement->status = STATUS_DUPLICATE;
    measurement->playoff = PLAYOFF_NONE;
    measurement->compile_ns = own->compile_ns;
    measurement->measure_ns = own->measure_ns;
    measurement->discarded = own->discarded;
    measurement_explain_duplicate(measurement, original, reason);
}

struct measurement outcomes_measurement(const struct outcomes *outcomes, const struct outcome *outcome,
                                        enum outcome_part part)
{
    const struct outcome *original = outcomes_original(outcomes, outcome, part);
    uint32_t session;
    struct measurement known = *row_of(original, part, &session);
    scale(&known, scale_of(outcomes, session));
    if (original != outcome)
        become_duplicate(&known, outcome->last);
    known.proposer = outcome->proposer;
    return known;
}

const struct measurement *outcomes_view(const struct outcomes *outcomes, const struct outcome *outcome,
                                        enum outcome_part part, struct arena *arena)
{
    uint32_t session;
    const struct measurement *row = row_of(outcome, part, &session);
    if (outcomes_original(outcomes, outcome, part) == outcome && session == session_now(outcomes) &&
        row->proposer == outcome->proposer)
        return row;
    struct measurement *made = arena_alloc(arena, sizeof *made);
    if (made)
        *made = outcomes_measurement(outcomes, outcome, part);
    return made;
}

bool outcomes_has_final(const struct outcomes *outcomes, const struct outcome *outcome)
{
    return outcome->final && outcome->final_session == session_now(outcomes);
}

/* ---- Adding a row ---- */

static void note_failure(const struct outcomes *outcomes, struct outcome *outcome)
{
    outcome->broken |= outcome->last && outcomes_class(outcomes, outcome) == OUTCOME_TIMED;
    outcome->final = NULL;
}

/* Compares the best of an earlier session with its new measurement, to detect a change of the device's speed. The
 * interval of a censored measurement serves as well, unless it is of two samples. */
static int compare_sessions(struct outcomes *outcomes, const struct outcome *outcome, const struct measurement *row,
                            struct error *error)
{
    const struct measurement then = outcomes_measurement(outcomes, outcome, OUTCOME_OF_SEARCH);
    const struct objective *objective = measurement_objective(row);
    if (!measurement_timed(&then) && then.samples <= HOPELESS_SAMPLES)
        return 0;
    bool worse = objective_better(objective, outcomes_reach(&then), measurement_better_end(row));
    bool better = objective_better(objective, outcomes_reach(row), measurement_better_end(&then));
    if (!worse && !better)
        return 0;
    return begin_session(outcomes, row->value / then.value, error);
}

static int add_search(struct outcomes *outcomes, struct outcome *outcome, uint64_t duplicate,
                      const struct measurement *row, struct error *error)
{
    enum outcome_class class = measurement_class(row);
    int code = 0;
    if (!outcome->last)
        outcome->proposer = row->proposer;
    if (class == OUTCOME_CENSORED && outcome->last && outcomes_class(outcomes, outcome) == OUTCOME_TIMED)
        return 0;
    if (class == OUTCOME_FAILED)
        note_failure(outcomes, outcome);
    else if (row->proposer == PROPOSER_RESUME && outcome->last && class == OUTCOME_TIMED &&
             outcomes_class(outcomes, outcome) != OUTCOME_FAILED)
        code = compare_sessions(outcomes, outcome, row, error);
    outcome->last = row;
    outcome->session = session_now(outcomes);
    outcome->duplicate = duplicate == outcome->key ? OUTCOME_NO_DUPLICATE : duplicate;
    return code;
}

/* Only the last play-off's incumbent wins its ties. */
static void note_incumbent(struct outcomes *outcomes, uint64_t key, const struct measurement *row)
{
    if (row->proposer == PROPOSER_INCUMBENT) {
        outcomes->has_incumbent = true;
        outcomes->incumbent = key;
    } else if (outcomes->has_incumbent && outcomes->incumbent == key) {
        outcomes->has_incumbent = false;
    }
}

int outcomes_add_final(struct outcomes *outcomes, uint64_t key, const struct measurement *row, struct error *error)
{
    struct outcome *outcome = outcomes_get(outcomes, key);
    if (!outcome)
        return error_memory(error);
    bool works = outcome->last && outcomes_class(outcomes, outcome) != OUTCOME_FAILED;
    /* Some journals hold only their play-off. */
    int code = works && measurement_timed(row) ? 0 : add_search(outcomes, outcome, OUTCOME_NO_DUPLICATE, row, error);
    if (measurement_timed(row)) {
        outcome->final = row;
        outcome->final_session = session_now(outcomes);
        note_incumbent(outcomes, key, row);
    }
    return code;
}

int outcomes_add(struct outcomes *outcomes, uint64_t key, uint64_t duplicate, const struct measurement *row,
                 struct error *error)
{
    if (row->playoff != PLAYOFF_NONE && measurement_timed(row))
        return outcomes_add_final(outcomes, key, row, error);
    struct outcome *outcome = outcomes_get(outcomes, key);
    return outcome ? add_search(outcomes, outcome, duplicate, row, error) : error_memory(error);
}

/* ---- The play-off ---- */

static bool has_time(const struct measurement *final)
{
    return final && measurement_timed(final);
}

/* A finalist that was beaten comes last: its time may be that of one process alone, and the leader's that of several.
 */
static bool faster(const struct measurement *const *finals, size_t a, size_t b)
{
    bool beaten = playoff_beaten(finals[a]->playoff), other_beaten = playoff_beaten(finals[b]->playoff);
    return beaten == other_beaten ? measurement_better(finals[a], a, finals[b], b) : other_beaten;
}

size_t outcomes_fastest(const struct measurement *const *finals, size_t count)
{
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < count; i++)
        if (has_time(finals[i]) && (first == SIZE_MAX || faster(finals, i, first)))
            first = i;
    return first;
}

/* In a play-off, the interval of a finalist other than the leader decides whether it is tied. The same holds if the
 * fastest here was beaten: the leader, and all that were tied with it, are then not among the given finalists. */
bool outcomes_tied(const struct measurement *fastest, const struct measurement *final)
{
    bool beaten = final && playoff_beaten(final->playoff) && !playoff_beaten(fastest->playoff);
    return has_time(final) && !beaten &&
           !objective_better(measurement_objective(fastest), measurement_worse_end(fastest),
                             measurement_better_end(final));
}

size_t outcomes_winner(const struct measurement *const *finals, size_t count, size_t incumbent, size_t *tied)
{
    size_t first = outcomes_fastest(finals, count), winner = first;
    bool stays = false;
    *tied = 0;
    for (size_t i = 0; i < count && first != SIZE_MAX; i++) {
        if (i == first || !outcomes_tied(finals[first], finals[i]))
            continue;
        ++*tied;
        stays |= i == incumbent;
        int order = measurement_compare_tied(finals[i], finals[winner]);
        if (order < 0 || (order == 0 && measurement_better(finals[i], i, finals[winner], winner)))
            winner = i;
    }
    *tied += *tied > 0;
    return stays || first == incumbent ? incumbent : winner;
}
