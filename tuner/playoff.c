#include "tuner/playoff.h"

#include <math.h>
#include <string.h>

#include "tuner/run_state.h"

enum { PLAYOFF_TRIES = 2 };

/* ---- Who takes part ---- */

struct picked {
    uint64_t key, original;
    struct measurement measurement;
};

static bool better(const struct picked *a, const struct picked *b)
{
    return measurement_better(&a->measurement, a->key, &b->measurement, b->key);
}

/* Duplicates of one original have the same code: only the best of them takes part. Returns false if `fresh` does not.
 */
static bool replace_duplicate(struct picked *picked, size_t *count, const struct picked *fresh)
{
    for (size_t i = 0; i < *count; i++) {
        if (picked[i].original != fresh->original)
            continue;
        if (!better(fresh, &picked[i]))
            return false;
        memmove(&picked[i], &picked[i + 1], (--*count - i) * sizeof *picked);
        return true;
    }
    return true;
}

/* Without intervals nothing is. */
static bool in_reach(const struct measurement *leader, const struct measurement *other)
{
    double reach = outcomes_reach(leader), end = measurement_better_end(other);
    return !isnan(reach) && !isnan(end) && !objective_better(measurement_objective(leader), reach, end);
}

size_t playoff_pick(const struct outcomes *outcomes, unsigned mark, size_t most, uint64_t *keys)
{
    struct picked picked[RUN_FINALISTS_MAX];
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < outcomes->count && most; i++) {
        const struct outcome *outcome = &outcomes->items[i];
        if (!(outcome->marks & mark) || outcomes_class(outcomes, outcome) != OUTCOME_TIMED)
            continue;
        const struct outcome *original = outcomes_original(outcomes, outcome, OUTCOME_OF_SEARCH);
        struct picked fresh = {outcome->key,
                               outcome->duplicate == OUTCOME_NO_DUPLICATE ? outcome->key : outcome->duplicate,
                               outcomes_measurement(outcomes, outcome, OUTCOME_OF_SEARCH)};
        if ((original != outcome && original->marks & mark) || !replace_duplicate(picked, &count, &fresh))
            continue;
        size_t place = count;
        for (; place > 0 && better(&fresh, &picked[place - 1]); place--)
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

/* ---- The play-off ---- */

/* The device process ended or was late: the message is the same for all finalists and blames none. */
static void say_unplayed(struct search_run *run, const struct measurement *finals, size_t count)
{
    size_t at = 0;
    while (at + 1 < count && !*finals[at].message)
        at++;
    memcpy(run->progress->unplayed, finals[at].message, sizeof run->progress->unplayed);
}

/* Measures all finalists together. A finalist that fails is out for good. */
static int play(struct search_run *run, const uint64_t *indices, size_t count, bool *played, struct error *error)
{
    const struct evaluator *evaluator = run->setup->evaluator;
    struct measurement finals[RUN_FINALISTS_MAX + 1];
    size_t learned = 0;
    int code = 0;
    *played = false;
    for (int tries = 0; tries < PLAYOFF_TRIES && !*played && !code && run_stop_asked(run) < 2; tries++)
        code = evaluator->ops->playoff(evaluator->state, indices, count, finals, played, error);
    if (!code && !*played && run_stop_asked(run) < 2)
        say_unplayed(run, finals, count);
    for (size_t i = 0; i < count && !code && *played; i++) {
        struct measurement *final = &finals[i];
        final->proposer = outcomes_find(&run->outcomes, indices[i])->proposer;
        run->progress->discarded += final->discarded;
        if (final->status == STATUS_OK && isnan(final->value))
            continue; /* another finalist broke the play-off */
        code = run_record(run, indices[i], final, error);
        if (!code)
            code = run_learn(run, indices[i], final, true, error);
        learned++;
        if (!code && !measurement_timed(final))
            run_rank_again(run);
        if (!code && run->setup->observe)
            run->setup->observe(run->setup->context, run->progress, indices[i], final, true);
    }
    *played &= learned > 0;
    return code;
}

/* Collects the finalists and then the default, unless it is one or a duplicate of one: the speed-up over it deserves
 * the same precision. */
static size_t gather(const struct search_run *run, uint64_t *indices, size_t *finalists)
{
    const struct run_progress *progress = run->progress;
    size_t count = *finalists = playoff_pick(&run->outcomes, COUNTED, run->setup->finalists, indices);
    if (!progress->has_default)
        return count;
    const struct outcome *default_ = outcomes_find(&run->outcomes, progress->default_index);
    uint64_t original = outcomes_original(&run->outcomes, default_, OUTCOME_OF_SEARCH)->key;
    for (size_t i = 0; i < *finalists; i++)
        if (indices[i] == progress->default_index || indices[i] == original)
            return count;
    indices[count++] = progress->default_index;
    return count;
}

/* Makes the winner of the play-off the best. Without one, keeps the best of the search. */
static void crown(struct search_run *run, const uint64_t *indices, size_t finalists)
{
    struct run_progress *progress = run->progress;
    const struct measurement *finals[RUN_FINALISTS_MAX];
    size_t tied = 0;
    for (size_t i = 0; i < finalists; i++)
        finals[i] = outcomes_find(&run->outcomes, indices[i])->final;
    size_t winner = outcomes_winner(finals, indices, finalists, &tied);
    if (winner == SIZE_MAX)
        return;
    progress->best_index = indices[winner];
    progress->best = *finals[winner];
    progress->finalists = finalists;
    progress->tied = tied;
    if (progress->has_default)
        progress->default_ = outcomes_measurement(
            &run->outcomes, outcomes_find(&run->outcomes, progress->default_index), OUTCOME_KNOWN_AS);
}

/* Repeats while a finalist fails: the others have no times yet, and configurations that were stopped early in its
 * favour may take its place. Does not repeat an earlier run's play-off. */
int run_play_off(struct search_run *run, struct error *error)
{
    uint64_t indices[RUN_FINALISTS_MAX + 1];
    bool played = true, missing = true;
    int code = 0;
    while (!code && played && missing && run->progress->has_best) {
        size_t finalists, count = gather(run, indices, &finalists);
        missing = false;
        for (size_t i = 0; i < count; i++)
            missing |= !outcomes_has_final(&run->outcomes, outcomes_find(&run->outcomes, indices[i]));
        if (missing)
            code = play(run, indices, count, &played, error);
        else
            crown(run, indices, finalists);
        if (!code && played && missing)
            code = run_settle(run, error);
    }
    return code;
}
