#include "journal/winner.h"

#include <math.h>
#include <string.h>

#include "base/roofline_time.h"

/* ---- Finalists ---- */

struct picked {
    uint64_t key, original;
    struct measurement measurement;
};

static bool better(const struct outcomes *outcomes, const struct picked *a, const struct picked *b)
{
    int order = outcomes_order(outcomes, a->key, b->key);
    return measurement_better(&a->measurement, order > 0, &b->measurement, order < 0);
}

/* Replaces a duplicate by a better one: only the best duplicate of an original takes part. False if a picked one is
 * better than `fresh`. */
static bool replace_duplicate(const struct outcomes *outcomes, struct picked *picked, size_t *count,
                              const struct picked *fresh)
{
    for (size_t i = 0; i < *count; i++) {
        if (picked[i].original != fresh->original)
            continue;
        if (!better(outcomes, fresh, &picked[i]))
            return false;
        memmove(&picked[i], &picked[i + 1], (--*count - i) * sizeof *picked);
        return true;
    }
    return true;
}

/* False without intervals. */
static bool in_reach(const struct measurement *leader, const struct measurement *other)
{
    double reach = outcomes_reach(leader), end = measurement_better_end(other);
    return !isnan(reach) && !isnan(end) && !objective_better(measurement_objective(leader), reach, end);
}

static bool takes_part(const struct outcomes *outcomes, const struct outcome *outcome, unsigned mark)
{
    return (outcome->marks & mark) == mark && outcomes_class(outcomes, outcome) == OUTCOME_TIMED;
}

size_t winner_finalists(const struct outcomes *outcomes, unsigned mark, size_t most, uint64_t *keys)
{
    struct picked picked[FINALISTS_MAX];
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < outcomes->count && most; i++) {
        const struct outcome *outcome = &outcomes->items[i];
        if (!takes_part(outcomes, outcome, mark))
            continue;
        const struct outcome *original = outcomes_original(outcomes, outcome, OUTCOME_OF_SEARCH);
        struct picked fresh = {outcome->key,
                               outcome->duplicate == OUTCOME_NO_DUPLICATE ? outcome->key : outcome->duplicate,
                               outcomes_measurement(outcomes, outcome, OUTCOME_OF_SEARCH)};
        if ((original != outcome && (original->marks & mark) == mark) ||
            !replace_duplicate(outcomes, picked, &count, &fresh))
            continue;
        size_t place = count;
        for (; place > 0 && better(outcomes, &fresh, &picked[place - 1]); place--)
            if (place < most)
                picked[place] = picked[place - 1];
        if (place < most)
            picked[place] = fresh;
        count += count < most;
    }
    for (size_t i = 0; i < count; i++)
        if (in_reach(&picked[0].measurement, &picked[i].measurement))
            keys[kept++] = picked[i].key;
    return kept;
}

static uint64_t original_of(const struct outcomes *outcomes, uint64_t key)
{
    return outcomes_original(outcomes, outcomes_find(outcomes, key), OUTCOME_OF_SEARCH)->key;
}

size_t winner_add_incumbent(const struct outcomes *outcomes, uint64_t incumbent, uint64_t *keys, size_t count)
{
    uint64_t original = original_of(outcomes, incumbent);
    for (size_t i = 0; i < count; i++)
        if (original_of(outcomes, keys[i]) == original) {
            keys[i] = incumbent;
            return count;
        }
    keys[count] = incumbent;
    return count + 1;
}

/* ---- The winner ---- */

static bool fastest_of_search(const struct outcomes *outcomes, unsigned mark, struct picked *fastest)
{
    bool any = false;
    for (size_t i = 0; i < outcomes->count; i++) {
        const struct outcome *outcome = &outcomes->items[i];
        if (!takes_part(outcomes, outcome, mark))
            continue;
        struct picked fresh = {outcome->key, 0, outcomes_measurement(outcomes, outcome, OUTCOME_OF_SEARCH)};
        if (!any || better(outcomes, &fresh, fastest))
            *fastest = fresh;
        any = true;
    }
    return any;
}

/* Sorts the keys, because the positions of finalists decide between equal ones. */
static void sort_keys(const struct outcomes *outcomes, uint64_t *keys, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t at = i; at > 0 && outcomes_order(outcomes, keys[at], keys[at - 1]) < 0; at--) {
            uint64_t key = keys[at];
            keys[at] = keys[at - 1];
            keys[at - 1] = key;
        }
}

static bool has_incumbent(const struct outcomes *outcomes, unsigned mark)
{
    const struct outcome *incumbent = outcomes->has_incumbent ? outcomes_find(outcomes, outcomes->incumbent) : NULL;
    return incumbent && takes_part(outcomes, incumbent, mark) && outcomes_has_final(outcomes, incumbent);
}

/* Lets the play-off decide if the fastest of the search took part in it. */
static void decide(const struct outcomes *outcomes, unsigned mark, struct winner *winner)
{
    uint64_t keys[FINALISTS_MAX + 1];
    const struct measurement *finals[FINALISTS_MAX + 1];
    size_t count = winner_finalists(outcomes, mark, FINALISTS_MAX, keys), played = 0, incumbent = SIZE_MAX;
    bool defends = has_incumbent(outcomes, mark);
    if (defends)
        count = winner_add_incumbent(outcomes, outcomes->incumbent, keys, count);
    if (!count || !outcomes_has_final(outcomes, outcomes_find(outcomes, keys[0])))
        return;
    for (size_t i = 0; i < count; i++)
        if (outcomes_has_final(outcomes, outcomes_find(outcomes, keys[i])))
            keys[played++] = keys[i];
    sort_keys(outcomes, keys, played);
    for (size_t i = 0; i < played; i++) {
        finals[i] = outcomes_find(outcomes, keys[i])->final;
        incumbent = defends && keys[i] == outcomes->incumbent ? i : incumbent;
    }
    size_t first = outcomes_winner(finals, played, incumbent, &winner->tied),
           fastest = outcomes_fastest(finals, played);
    winner->key = keys[first];
    winner->measurement = *finals[first];
    winner->finalists = played;
    for (size_t i = 0; i < played; i++) {
        winner->keys[i] = keys[i];
        winner->ties[i] = i == fastest || outcomes_tied(finals[fastest], finals[i]);
    }
}

bool winner_find(const struct outcomes *outcomes, unsigned mark, uint64_t default_key, struct winner *winner)
{
    struct picked fastest;
    const struct outcome *default_ = default_key == UINT64_MAX ? NULL : outcomes_find(outcomes, default_key);
    *winner = (struct winner){.default_ = measurement_unknown(STATUS_OK)};
    if (!fastest_of_search(outcomes, mark, &fastest))
        return false;
    winner->key = fastest.key;
    winner->measurement = fastest.measurement;
    decide(outcomes, mark, winner);
    if (default_ && takes_part(outcomes, default_, mark))
        winner->default_ =
            outcomes_measurement(outcomes, default_, winner->finalists ? OUTCOME_KNOWN_AS : OUTCOME_OF_SEARCH);
    return true;
}

static const char *const verdicts[INCUMBENT_COUNT] = {"", "holds", "tied", "replaced"};

const char *incumbent_verdict_name(enum incumbent_verdict verdict)
{
    return verdicts[verdict];
}

enum incumbent_verdict winner_verdict(const struct outcomes *outcomes, const struct winner *winner, uint64_t incumbent,
                                      double *ratio)
{
    const struct measurement *other = NULL, *own = NULL;
    *ratio = NAN;
    for (size_t i = 0; i < winner->finalists; i++) {
        const struct measurement *final = outcomes_find(outcomes, winner->keys[i])->final;
        if (winner->keys[i] == incumbent)
            own = final;
        else if (!other || (playoff_beaten(other->playoff) == playoff_beaten(final->playoff)
                                ? measurement_cost(final) < measurement_cost(other)
                                : playoff_beaten(other->playoff)))
            other = final;
    }
    if (!own)
        return INCUMBENT_NONE;
    if (other)
        *ratio = measurement_cost(own) / measurement_cost(other);
    if (winner->key != incumbent)
        return INCUMBENT_REPLACED;
    return winner->tied ? INCUMBENT_TIED : INCUMBENT_HOLDS;
}

double winner_efficiency(const struct outcomes *outcomes, const struct winner *winner, uint64_t key)
{
    const struct outcome *outcome = outcomes_find(outcomes, key);
    if (!outcome || outcomes_class(outcomes, outcome) == OUTCOME_UNKNOWN)
        return NAN;
    if (outcomes_class(outcomes, outcome) == OUTCOME_FAILED)
        return 0;
    uint64_t original = outcomes_original(outcomes, outcome, OUTCOME_KNOWN_AS)->key;
    for (size_t i = 0; i < winner->finalists; i++)
        if (winner->keys[i] == original && winner->ties[i])
            return 1;
    const struct measurement known = outcomes_measurement(outcomes, outcome, OUTCOME_KNOWN_AS);
    return fmin(1, objective_gain(measurement_objective(&known), winner->measurement.value, known.value));
}

/* ---- The row ---- */

struct best winner_row(const struct winner *winner, const struct provenance *provenance, const char *configuration,
                       uint64_t evaluated)
{
    const struct measurement *best = &winner->measurement;
    const struct objective *objective = measurement_objective(best);
    const struct amounts amounts = amounts_of(provenance, best);
    struct best row = {
        .schema = DATABASE_SCHEMA_BEST,
        .provenance = *provenance,
        .objective = objective->name,
        .configuration = configuration,
        .value = best->value,
        .low = best->low,
        .high = best->high,
        .samples = best->samples,
        .default_value = winner->default_.value,
        .speedup = objective_cost(objective, winner->default_.value) / measurement_cost(best),
        .ceiling_percent = objective->seconds != 0 ? 100 * amounts.roofline_ns / best->value : NAN,
        .evaluated = (int64_t)evaluated,
        .states = "",
        .strategy = "",
        .library = "",
        .library_states = "",
        .library_value = NAN,
        .library_ratio = NAN,
    };
    if (objective->per_work) { /* amounts of other configurations may differ */
        row.provenance.bytes = amounts.bytes;
        row.provenance.flops = amounts.flops;
        row.provenance.roofline_ns = amounts.roofline_ns;
    }
    return row;
}

void winner_row_library(struct best *row, const struct journal_library *library)
{
    if (!library)
        return;
    row->library = library->name;
    row->library_value = library->value;
    row->library_states = library->states ? library->states : "";
    row->library_ratio = journal_library_ratio(library, objective_find(row->objective));
}
