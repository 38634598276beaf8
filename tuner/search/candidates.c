#include "search/candidates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/float.h"
#include "search/acquisition.h"

enum { FAMILY_BLOCKS_MAX = 4, FAMILIES_MIN = CANDIDATES_INCUMBENTS_MAX + 6, PARENTS = ARCHIVE_BEST_MAX };

void candidates_choices(const struct candidates *candidates, uint64_t index, uint32_t *by_dimension)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    valid_set_get(candidates->setup.archive->set, index, choices);
    encoding_order(candidates->setup.encoding, choices, by_dimension);
}

uint64_t candidates_index(const struct candidates *candidates, size_t candidate)
{
    return candidates->pool ? candidates->pool[candidate] : candidate;
}

/* Makes all valid configurations candidates. */
static void place_all(struct candidates *candidates)
{
    struct valid_walk walk;
    const uint32_t *choices;
    size_t candidate = 0;
    valid_walk_start(candidates->setup.archive->set, &walk);
    while (valid_walk_next(&walk, &choices, NULL)) {
        uint32_t by_dimension[ENCODE_DIMENSIONS_MAX];
        encoding_order(candidates->setup.encoding, choices, by_dimension);
        posterior_place(&candidates->posterior, candidate++, by_dimension);
    }
}

static size_t family_size(const struct candidates *candidates)
{
    return candidates->family_blocks * POSTERIOR_BLOCK;
}

/* Chooses the number of families and their size: room for all neighbours of a configuration and a quarter more, up to a
 * maximum. */
static void size_pool(struct candidates *candidates)
{
    size_t blocks = (candidates->setup.archive->around_room * 5 / 4 + POSTERIOR_BLOCK - 1) / POSTERIOR_BLOCK;
    candidates->family_blocks = blocks < FAMILY_BLOCKS_MAX ? blocks : FAMILY_BLOCKS_MAX;
    size_t count = (candidates->setup.sample + family_size(candidates) - 1) / family_size(candidates);
    candidates->family_count = count > FAMILIES_MIN ? count : FAMILIES_MIN;
    candidates->count = candidates->family_count * family_size(candidates);
}

int candidates_open(struct candidates *candidates, const struct candidates_setup *setup, struct error *error)
{
    const struct archive *archive = setup->archive;
    bool whole = archive->valid <= setup->whole;
    *candidates = (struct candidates){.setup = *setup, .count = (size_t)archive->valid};
    if (!whole)
        size_pool(candidates);
    int code = posterior_open(&candidates->posterior, setup->encoding, candidates->count, error);
    if (code)
        return code;
    candidates->taken = calloc(candidates->count + 1, sizeof *candidates->taken);
    size_t near = whole ? CANDIDATES_INCUMBENTS_MAX * archive->around_room : candidates->count;
    candidates->near = calloc(near, sizeof *candidates->near);
    candidates->bounds = calloc(near, sizeof *candidates->bounds);
    if (!whole) {
        candidates->pool = calloc(candidates->count, sizeof *candidates->pool);
        candidates->families = calloc(candidates->family_count, sizeof *candidates->families);
    }
    if (!candidates->taken || !candidates->near || !candidates->bounds ||
        (!whole && (!candidates->pool || !candidates->families)))
        return error_memory(error);
    if (whole)
        place_all(candidates);
    return 0;
}

void candidates_close(struct candidates *candidates)
{
    posterior_close(&candidates->posterior);
    free(candidates->families);
    free(candidates->pool);
    free(candidates->near);
    free(candidates->bounds);
    free(candidates->taken);
}

/* True if a block of the pool has a configuration. */
FLOAT_WIDE static bool block_has(const uint64_t *pool, uint64_t index)
{
    uint64_t found = 0;
    for (size_t c = 0; c < POSTERIOR_BLOCK; c++)
        found |= pool[c] == index;
    return found;
}

void candidates_take(struct candidates *candidates, uint64_t index)
{
    if (!candidates->pool)
        candidates->taken[index] = true;
    for (size_t at = 0; candidates->pool && at < candidates->count; at += POSTERIOR_BLOCK)
        if (block_has(candidates->pool + at, index))
            for (size_t c = at; c < at + POSTERIOR_BLOCK; c++)
                candidates->taken[c] |= candidates->pool[c] == index;
}

/* ---- Families ---- */

static void put(struct candidates *candidates, size_t candidate, uint64_t index)
{
    uint32_t choices[ENCODE_DIMENSIONS_MAX];
    candidates_choices(candidates, index, choices);
    posterior_place(&candidates->posterior, candidate, choices);
    candidates->pool[candidate] = index;
    candidates->taken[candidate] = archive_find(candidates->setup.archive, index) != NULL;
}

/* Returns a valid configuration near `choices`, or one drawn from the set if that has no index. */
static uint64_t settle(const struct candidates *candidates, uint32_t *choices)
{
    const struct archive *archive = candidates->setup.archive;
    uint64_t index;
    valid_set_follow(archive->set, choices);
    valid_set_find(archive->set, choices, &index);
    return index < archive->valid ? index : valid_set_sample(archive->set, candidates->setup.random);
}

/* Returns a child of two configurations: each value comes from one of them. */
static uint64_t cross(const struct candidates *candidates, uint64_t one, uint64_t other)
{
    const struct valid_set *set = candidates->setup.archive->set;
    uint32_t choices[SPACE_PARAMETERS_MAX], others[SPACE_PARAMETERS_MAX];
    valid_set_get(set, one, choices);
    valid_set_get(set, other, others);
    uint64_t mask = random_u64(candidates->setup.random);
    for (size_t p = 0; p < valid_set_parameter_count(set); p++)
        choices[p] = mask >> p & 1 ? choices[p] : others[p];
    return settle(candidates, choices);
}

static uint64_t change_two(const struct candidates *candidates, uint64_t index)
{
    const struct valid_set *set = candidates->setup.archive->set;
    struct random *random = candidates->setup.random;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    valid_set_get(set, index, choices);
    for (int i = 0; i < 2; i++) {
        size_t p = (size_t)random_below(random, valid_set_parameter_count(set));
        choices[p] = (uint32_t)random_below(random, valid_set_value_count(set, p));
    }
    return settle(candidates, choices);
}

/* Makes variations in turns: two of four are crossovers. */
static uint64_t vary(const struct candidates *candidates, uint64_t centre, size_t turn, const size_t *best,
                     size_t count)
{
    const struct archive *archive = candidates->setup.archive;
    struct random *random = candidates->setup.random;
    if (centre == UINT64_MAX || turn % 4 == 3)
        return valid_set_sample(archive->set, random);
    if (count && turn % 2 == 0)
        return cross(candidates, centre, archive->entries[best[random_below(random, count)]].index);
    return change_two(candidates, centre);
}

/* Replaces a family. */
static void plant(struct candidates *candidates, size_t family, uint64_t centre)
{
    struct archive *archive = candidates->setup.archive;
    size_t best[PARENTS], parents = archive_best_few(archive, best, PARENTS);
    size_t at = family * family_size(candidates), end = at + family_size(candidates), around = 0;
    struct family *planted = &candidates->families[family];
    *planted = (struct family){.centre = centre};
    if (centre != UINT64_MAX)
        around = archive_around(archive, centre, NEIGHBOURS_ANY);
    for (size_t a = 0; a < around && at < end; a++)
        if (!archive_find(archive, archive->around[a])) {
            put(candidates, at++, archive->around[a]);
            planted->near++;
        }
    if (centre != UINT64_MAX && at < end && !archive_find(archive, centre))
        put(candidates, at++, centre);
    for (size_t turn = 0; at < end; turn++)
        put(candidates, at++, vary(candidates, centre, turn, best, parents));
    for (size_t b = 0; b < candidates->family_blocks; b++) {
        size_t block = family * candidates->family_blocks + b;
        if (candidates->setup.replaced)
            candidates->setup.replaced(candidates->setup.context, block);
        posterior_clear(&candidates->posterior, block);
    }
}

/* Returns the family of a centre; SIZE_MAX: none. */
static size_t family_of(const struct candidates *candidates, uint64_t centre)
{
    size_t family = 0;
    while (family < candidates->family_count && candidates->families[family].centre != centre)
        family++;
    return family < candidates->family_count ? family : SIZE_MAX;
}

/* Returns the family with the least acquisition among those that are not held. */
static size_t worst_family(const struct candidates *candidates)
{
    const struct posterior_top *least = NULL;
    size_t worst = SIZE_MAX;
    for (size_t f = 0; f < candidates->family_count; f++) {
        const struct posterior_top *tops = &candidates->posterior.tops[f * candidates->family_blocks], *top = tops;
        for (size_t b = 1; b < candidates->family_blocks; b++)
            top = acquisition_above(&tops[b], top) ? &tops[b] : top;
        if (!candidates->families[f].held && (!least || acquisition_above(least, top))) {
            least = top;
            worst = f;
        }
    }
    return worst;
}

void candidates_draw(struct candidates *candidates)
{
    if (candidates->drawn)
        return;
    candidates->drawn = true;
    for (size_t f = 0; f < candidates->family_count; f++)
        plant(candidates, f, UINT64_MAX);
}

/* Holds the families of the incumbents, and plants the missing ones. */
static void hold(struct candidates *candidates, const size_t *incumbents, size_t count)
{
    const struct archive_entry *entries = candidates->setup.archive->entries;
    for (size_t f = 0; f < candidates->family_count; f++)
        candidates->families[f].held = false;
    for (int missing = 0; missing < 2; missing++)
        for (size_t i = 0; i < count; i++) {
            size_t family = family_of(candidates, entries[incumbents[i]].index);
            if (missing && family == SIZE_MAX)
                plant(candidates, family = worst_family(candidates), entries[incumbents[i]].index);
            if (family != SIZE_MAX)
                candidates->families[family].held = true;
        }
}

/* Adds the first `count` candidates from `from` on, except taken ones. */
static size_t add_near(struct candidates *candidates, size_t found, size_t from, size_t count)
{
    for (size_t c = from; c < from + count; c++)
        if (!candidates->taken[c])
            candidates->near[found++] = c;
    return found;
}

size_t candidates_near(struct candidates *candidates, const size_t *incumbents, size_t count)
{
    struct archive *archive = candidates->setup.archive;
    size_t found = 0;
    if (candidates->pool)
        hold(candidates, incumbents, count);
    for (size_t i = 0; i < count; i++) {
        uint64_t index = archive->entries[incumbents[i]].index;
        if (candidates->pool) {
            size_t family = family_of(candidates, index);
            found = add_near(candidates, found, family * family_size(candidates), candidates->families[family].near);
            continue;
        }
        size_t around = archive_around(archive, index, NEIGHBOURS_ANY);
        for (size_t a = 0; a < around; a++)
            found = add_near(candidates, found, (size_t)archive->around[a], 1);
    }
    return found;
}

/* Returns the candidate of the greatest acquisition outside the archive and without a family; SIZE_MAX: none. */
static size_t most_promising(const struct candidates *candidates)
{
    const struct posterior *posterior = &candidates->posterior;
    const struct posterior_top *best = NULL;
    for (size_t b = 0; b < posterior->blocks; b++) {
        const struct posterior_top *top = &posterior->tops[b];
        if (top->candidate != SIZE_MAX && (!best || acquisition_above(top, best)) &&
            family_of(candidates, candidates->pool[top->candidate]) == SIZE_MAX)
            best = top;
    }
    return best ? best->candidate : SIZE_MAX;
}

/* The same for the least predicted time, among updated blocks. */
static size_t fastest(const struct candidates *candidates)
{
    const struct posterior *posterior = &candidates->posterior;
    double least = INFINITY;
    size_t best = SIZE_MAX;
    for (size_t c = 0; c < candidates->count; c++) {
        if (candidates->taken[c] || posterior->rows_in[c / POSTERIOR_BLOCK] == 0 || posterior->mean[c] >= least)
            continue;
        double mean = posterior->mean[c] - log(acquisition_feasible(posterior, c));
        if (mean < least && family_of(candidates, candidates->pool[c]) == SIZE_MAX) {
            least = mean;
            best = c;
        }
    }
    return best;
}

bool candidates_expand(struct candidates *candidates)
{
    if (!candidates->pool)
        return false;
    size_t centre = candidates->exploit ? fastest(candidates) : most_promising(candidates);
    candidates->exploit = !candidates->exploit;
    if (centre == SIZE_MAX)
        return false;
    plant(candidates, worst_family(candidates), candidates->pool[centre]);
    return true;
}
