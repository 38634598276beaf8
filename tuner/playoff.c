#include "tuner/playoff.h"

#include "tuner/run.h"

/* The search's intervals are short and know neither of a drift nor of a launch that takes a little longer than the one
 * before: so much is allowed for them. */
static const double reach = 1.02, reach_ns = 100;

double playoff_reach(double high_ns)
{
    return reach * high_ns + reach_ns;
}

size_t playoff_pick(const struct known *known, size_t most, uint64_t *indices)
{
    const struct known_entry *picked[RUN_FINALISTS_MAX];
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < known->capacity && most; i++) {
        const struct known_entry *entry = &known->entries[i];
        size_t place = count;
        if (entry->state != ENTRY_KNOWN || !entry->counted || entry->measurement.status != STATUS_OK ||
            !measurement_timed(&entry->measurement))
            continue;
        for (; place > 0 && measurement_better(&entry->measurement, entry->index, &picked[place - 1]->measurement,
                                               picked[place - 1]->index);
             place--)
            if (place < most)
                picked[place] = picked[place - 1];
        if (place < most)
            picked[place] = entry;
        count += count < most;
    }
    for (size_t i = 0; i < count; i++)
        if (picked[i]->measurement.low_ns <= playoff_reach(picked[0]->measurement.high_ns))
            indices[kept++] = picked[i]->index;
    return kept;
}

size_t playoff_winner(const struct known *known, const uint64_t *indices, size_t count, size_t *tied)
{
    size_t first = SIZE_MAX, winner;
    const struct measurement *leader = NULL, *best;
    for (size_t i = 0; i < count; i++) {
        const struct measurement *final = known_find_final(known, indices[i]);
        if (!final || !measurement_timed(final))
            continue;
        if (!leader || measurement_better(final, indices[i], leader, indices[first])) {
            first = i;
            leader = final;
        }
    }
    *tied = 0;
    winner = first;
    best = leader;
    for (size_t i = 0; i < count && leader; i++) {
        const struct measurement *final = known_find_final(known, indices[i]);
        /* Of another play-off than the leader's it may be: then its interval has to say that it is tied. */
        if (i == first || !final || !measurement_timed(final) || final->playoff == PLAYOFF_LOST ||
            final->low_ns > leader->high_ns)
            continue;
        ++*tied;
        int cost = measurement_compare_cost(final, best);
        if (cost < 0 || (cost == 0 && measurement_better(final, indices[i], best, indices[winner]))) {
            winner = i;
            best = final;
        }
    }
    return winner;
}
