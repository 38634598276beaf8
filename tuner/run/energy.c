/* Measures the energy of the configurations that are almost as fast as the best. */
#include "run/energy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

struct candidate {
    uint64_t key;
    double cost;
};

static int compare(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    return (a->key > b->key) - (a->key < b->key);
}

static bool has(const struct run_energy *energy, uint64_t key)
{
    for (size_t i = 0; i < energy->count; i++)
        if (energy->indices[i] == key)
            return true;
    return false;
}

/* Adds a configuration, or the one with the same machine code. */
static void add(const struct search_run *run, const struct outcome *outcome, struct run_energy *energy)
{
    uint64_t key = outcomes_original(&run->outcomes, outcome, OUTCOME_OF_SEARCH)->key;
    if (key >= valid_set_count(run->setup->set))
        key = outcome->key;
    if (!has(energy, key) && energy->count < ENERGY_CANDIDATES_MAX)
        energy->indices[energy->count++] = key;
}

/* Collects the fastest configurations, even those that were stopped early as slower than the best, and the default,
 * without which an energy is hard to judge. */
static int gather(const struct search_run *run, struct run_energy *energy, struct error *error)
{
    const struct run_progress *progress = run->progress;
    const double most = measurement_cost(&progress->best) * (1 + energy->front);
    struct candidate *candidates = calloc(run->outcomes.count + 1, sizeof *candidates);
    size_t count = 0;
    if (!candidates)
        return error_memory(error);
    for (size_t i = 0; i < run->outcomes.count; i++) {
        const struct outcome *outcome = &run->outcomes.items[i];
        if (!(outcome->marks & COUNTED) || !outcome->last)
            continue;
        const struct measurement known = outcomes_measurement(&run->outcomes, outcome, OUTCOME_KNOWN_AS);
        if (measurement_has_value(&known) && measurement_cost(&known) <= most)
            candidates[count++] = (struct candidate){outcome->key, measurement_cost(&known)};
    }
    qsort(candidates, count, sizeof *candidates, compare);
    add(run, outcomes_find(&run->outcomes, progress->best_index), energy);
    if (progress->has_default)
        add(run, outcomes_find(&run->outcomes, progress->default_index), energy);
    for (size_t i = 0; i < count; i++) {
        const size_t before = energy->count;
        add(run, outcomes_find(&run->outcomes, candidates[i].key), energy);
        energy->left_out += energy->count == before && before == ENERGY_CANDIDATES_MAX;
    }
    free(candidates);
    return 0;
}

/* True if the journal's last group has all candidates; takes their energies. */
static bool is_known(const struct search_run *run, struct run_energy *energy)
{
    size_t count = 0;
    const struct journal_energy *group =
        run->setup->journal ? journal_last_energies(run->setup->journal, &count) : NULL;
    for (size_t i = 0; i < energy->count; i++) {
        const struct energy *known =
            rows_find_energy(group, count, run->setup->journal, run->setup->space, run->setup->set, energy->indices[i]);
        if (!known)
            return false;
        energy->energies[i] = *known;
    }
    return energy->count > 0;
}

static int record(const struct search_run *run, struct run_energy *energy, struct error *error)
{
    size_t count = 0;
    const struct journal_energy *group =
        run->setup->journal ? journal_last_energies(run->setup->journal, &count) : NULL;
    const double number = group && !isnan(group->energy.group) ? group->energy.group + 1 : 1;
    int code = 0;
    for (size_t i = 0; i < energy->count && !code; i++) {
        energy->energies[i].group = number;
        if (run->setup->journal && energy->measurements[i].status == STATUS_OK)
            code = rows_append_energy(run->setup->journal, run->setup->space, run->setup->set, energy->indices[i],
                                      &energy->energies[i], error);
    }
    return code;
}

/* Time of the least rounds, roughly. */
static int64_t least_ns(const struct run_energy *energy)
{
    return (int64_t)energy->count * ENERGY_ROUNDS_LEAST * RUN_ENERGY_WINDOW_NS;
}

static bool is_late(const struct run_energy *energy, int64_t needs_ns)
{
    return energy->end_ns && clock_now_ns() + needs_ns >= energy->end_ns;
}

static int measure(struct search_run *run, struct run_energy *energy, struct error *error)
{
    const struct evaluator *evaluator = run->setup->evaluator;
    const int64_t begin_ns = run_now(run);
    struct error own = {0};
    struct evaluator_energy asked = {.indices = energy->indices,
                                     .count = energy->count,
                                     .measurements = energy->measurements,
                                     .energies = energy->energies};
    char waits[64];
    snprintf(waits, sizeof waits, "the energy of %zu configurations", energy->count);
    run_send(run, (struct run_event){.kind = RUN_WAIT, .waits = waits});
    int code = evaluator->ops->device->energy(evaluator->state, &asked, &own);
    energy->missing = asked.missing;
    energy->measured = !code && !asked.missing;
    energy->late = code == ERROR_INTERRUPTED && is_late(energy, 0);
    energy->took_ns = run_now(run) - begin_ns;
    if (code && !energy->late && error)
        *error = own;
    if (code)
        energy->count = 0;
    return energy->late ? 0 : code;
}

int run_measure_energy(struct search_run *run, struct error *error)
{
    struct run_energy *energy = run->setup->energy;
    const bool stopped = run->told || (run->setup->stop && *run->setup->stop);
    if (!energy || !run->progress->has_best || stopped)
        return 0;
    int code = gather(run, energy, error);
    if (code || is_known(run, energy))
        return code;
    energy->late = is_late(energy, least_ns(energy));
    if (energy->late)
        energy->count = 0;
    else
        code = measure(run, energy, error);
    return code || !energy->measured ? code : record(run, energy, error);
}
