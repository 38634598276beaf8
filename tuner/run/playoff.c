#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "journal/winner.h"
#include "run/run_state.h"

enum { PLAYOFF_TRIES = 2, PLAYERS_MAX = FINALISTS_MAX + 2 };

/* Reports a play-off without a result. The device process ended or was late: all finalists share the message, which
 * blames none. */
static void say_unplayed(struct search_run *run, const struct measurement *finals, size_t count)
{
    size_t at = 0;
    while (at + 1 < count && !*finals[at].message)
        at++;
    memcpy(run->progress->unplayed, finals[at].message, sizeof run->progress->unplayed);
}

/* Gets the efficiencies elsewhere, which decide between tied finalists. */
static int ask_elsewhere(const struct search_run *run, const uint64_t *indices, size_t count,
                         struct measurement *finals, struct error *error)
{
    const struct run_setup *setup = run->setup;
    int code = setup->elsewhere ? setup->elsewhere(setup->context, indices, count, finals, error) : 0;
    for (size_t i = 0; i < count; i++)
        if (!measurement_timed(&finals[i]))
            finals[i].efficiency_other_devices = finals[i].efficiency_other_sizes = NAN;
    return code;
}

static bool is_incumbent(const struct search_run *run, uint64_t index)
{
    return run->setup->incumbent && index == *run->setup->incumbent;
}

/* Returns the proposer in a play-off's row. An earlier incumbent is a finalist like others. */
static enum proposer role_of(const struct search_run *run, uint64_t index)
{
    enum proposer proposer = outcomes_find(&run->outcomes, index)->proposer;
    if (is_incumbent(run, index))
        return PROPOSER_INCUMBENT;
    return proposer == PROPOSER_INCUMBENT ? PROPOSER_WARM_START : proposer;
}

/* Measures all finalists together. A finalist that fails stays out. */
static int play(struct search_run *run, const uint64_t *indices, size_t count, bool *played, struct error *error)
{
    const struct evaluator *evaluator = run->setup->evaluator;
    struct measurement finals[PLAYERS_MAX];
    size_t learned = 0;
    int code = 0;
    char waits[64];
    snprintf(waits, sizeof waits, "the play-off of %zu finalists", count);
    *played = false;
    if (!run->setup->replays)
        run_send(run, (struct run_event){.kind = RUN_WAIT, .waits = waits});
    for (int tries = 0; tries < PLAYOFF_TRIES && !*played && !code && run_stop_asked(run) < 2; tries++)
        code = evaluator->ops->playoff(evaluator->state, indices, count, finals, played, error);
    if (!code && !*played && run_stop_asked(run) < 2)
        say_unplayed(run, finals, count);
    if (!code && *played)
        code = ask_elsewhere(run, indices, count, finals, error);
    for (size_t i = 0; i < count && !code && *played; i++) {
        struct measurement *final = &finals[i];
        final->proposer = role_of(run, indices[i]);
        run->progress->discarded += final->discarded;
        if (final->status == STATUS_OK && isnan(final->value))
            continue; /* another finalist broke the play-off */
        code = run_record(run, indices[i], final, NULL, error);
        if (!code)
            code = run_learn(run, indices[i], OUTCOME_NO_DUPLICATE, final, true, error);
        learned++;
        if (!code && !measurement_timed(final))
            run_rank_remeasured(run);
        if (!code)
            run_send(run,
                     (struct run_event){.kind = RUN_OUTCOME, .index = indices[i], .measurement = final, .fresh = true});
    }
    *played &= learned > 0;
    run->progress->played |= *played;
    return code;
}

static bool defends(const struct search_run *run)
{
    const uint64_t *incumbent = run->setup->incumbent;
    return incumbent && run_timed(run, outcomes_find(&run->outcomes, *incumbent));
}

/* Returns the number of finalists that the time allows, besides the default and the incumbent. */
static size_t finalists_in_time(const struct search_run *run)
{
    const struct run_setup *setup = run->setup;
    int64_t left_ns = setup->end_ns ? setup->end_ns - clock_now_ns() : INT64_MAX;
    int64_t most = left_ns / EVALUATOR_PLAYOFF_NS - 1 - defends(run);
    return most < 1 ? 0 : most < (int64_t)setup->finalists ? (size_t)most : setup->finalists;
}

/* Collects the finalists, the incumbent and then the default, unless the default or its original is among them: the
 * speed-up over it deserves the same precision. */
static size_t gather(const struct search_run *run, size_t finalists, uint64_t *indices)
{
    const struct run_progress *progress = run->progress;
    size_t count = winner_finalists(&run->outcomes, COUNTED, finalists, indices);
    if (defends(run))
        count = winner_add_incumbent(&run->outcomes, *run->setup->incumbent, indices, count);
    if (!progress->has_default)
        return count;
    const struct outcome *default_ = outcomes_find(&run->outcomes, progress->default_index);
    uint64_t original = outcomes_original(&run->outcomes, default_, OUTCOME_OF_SEARCH)->key;
    for (size_t i = 0; i < count; i++)
        if (indices[i] == progress->default_index || indices[i] == original)
            return count;
    indices[count++] = progress->default_index;
    return count;
}

/* True if it has a time of a play-off. An earlier version may have measured one without verifying after timing; it
 * counts only once this run has played. */
static bool has_played(const struct search_run *run, uint64_t index, bool now)
{
    const struct outcome *outcome = outcomes_find(&run->outcomes, index);
    return outcomes_has_final(&run->outcomes, outcome) && (now || outcome->final->verified == VERIFIED_TIMED);
}

/* True if the journal's play-off would choose another winner if it knew the incumbent. */
static bool ignores_incumbent(const struct search_run *run)
{
    const struct outcomes *outcomes = &run->outcomes;
    struct winner winner;
    if (!defends(run) || (outcomes->has_incumbent && outcomes->incumbent == *run->setup->incumbent))
        return false;
    return !winner_find(outcomes, COUNTED, UINT64_MAX, &winner) || winner.key != *run->setup->incumbent;
}

/* True if the journal records fewer processes of its winner than the run wants. */
static bool lacks_processes(const struct search_run *run)
{
    const struct run_setup *setup = run->setup;
    struct winner winner;
    return !setup->replays && winner_find(&run->outcomes, COUNTED, UINT64_MAX, &winner) &&
           winner.measurement.processes > 0 && (size_t)winner.measurement.processes < setup->playoff_processes;
}

/* Repeats while a finalist fails: the others have no times yet, and configurations stopped early in favour of the
 * failed one may replace it. */
int run_play_off(struct search_run *run, struct error *error)
{
    uint64_t indices[PLAYERS_MAX];
    bool played = true, missing = true, now = false;
    int code = 0;
    while (!code && played && missing && run->progress->has_best) {
        size_t finalists = finalists_in_time(run), count = gather(run, finalists ? finalists : 1, indices);
        missing = !now && (run->setup->confirms || ignores_incumbent(run) || lacks_processes(run));
        for (size_t i = 0; i < count; i++)
            missing |= !has_played(run, indices[i], now);
        if (missing && !finalists) {
            text_format(run->progress->unplayed, sizeof run->progress->unplayed,
                        "the time limit leaves no time for it");
            return 0;
        }
        if (missing)
            code = play(run, indices, count, &played, error);
        now = true;
        if (!code && played && missing)
            code = run_settle(run, error);
    }
    return code;
}

void run_choose_winner(struct search_run *run)
{
    struct run_progress *progress = run->progress;
    struct winner winner;
    if (!winner_find(&run->outcomes, COUNTED, progress->default_index, &winner))
        return;
    progress->best_index = winner.key;
    progress->best = winner.measurement;
    progress->finalists = winner.finalists;
    progress->tied = winner.tied;
    if (run->setup->incumbent && (progress->played || !run->setup->confirms))
        progress->verdict = winner_verdict(&run->outcomes, &winner, *run->setup->incumbent, &progress->incumbent_ratio);
    if (progress->has_default)
        progress->default_ = winner.default_;
}
