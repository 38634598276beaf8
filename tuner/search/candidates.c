#include "search/candidates.h"

#include <stdlib.h>
#include <string.h>

static void order(const struct candidates *candidates, uint64_t index, const uint32_t *choices, uint32_t *by_dimension)
{
    const struct encoding *encoding = candidates->setup.encoding;
    for (size_t d = 0; d < encoding->parameters; d++)
        by_dimension[d] = choices[encoding->dimensions[d].parameter];
    for (size_t d = encoding->parameters; d < encoding->count; d++)
        by_dimension[d] =
            candidates->setup.levels[(d - encoding->parameters) * candidates->setup.archive->valid + index];
}

void candidates_choices(const struct candidates *candidates, uint64_t index, uint32_t *by_dimension)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    valid_set_get(candidates->setup.archive->set, index, choices);
    order(candidates, index, choices, by_dimension);
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
        order(candidates, candidate, choices, by_dimension);
        posterior_place(&candidates->posterior, candidate++, by_dimension);
    }
}

int candidates_open(struct candidates *candidates, const struct candidates_setup *setup, struct error *error)
{
    const struct archive *archive = setup->archive;
    bool whole = archive->valid <= setup->whole;
    *candidates = (struct candidates){.setup = *setup, .count = whole ? (size_t)archive->valid : setup->sample};
    int code = posterior_open(&candidates->posterior, setup->encoding, candidates->count, error);
    if (code)
        return code;
    candidates->taken = calloc(candidates->count + 1, sizeof *candidates->taken);
    if (!whole)
        candidates->pool = calloc(candidates->count + 1, sizeof *candidates->pool);
    candidates->near =
        calloc(whole ? CANDIDATES_INCUMBENTS_MAX * archive->around_room : candidates->count, sizeof *candidates->near);
    if (!candidates->taken || !candidates->near || (!whole && !candidates->pool))
        return error_memory(error);
    if (whole)
        place_all(candidates);
    return 0;
}

void candidates_close(struct candidates *candidates)
{
    posterior_close(&candidates->posterior);
    free(candidates->pool);
    free(candidates->near);
    free(candidates->taken);
}

bool candidates_stale(const struct candidates *candidates)
{
    return candidates->pool && candidates->pool_best != candidates->setup.archive->best;
}

void candidates_draw(struct candidates *candidates)
{
    struct archive *archive = candidates->setup.archive;
    size_t best[CANDIDATES_INCUMBENTS_MAX], filled = 0;
    size_t count = archive_best_few(archive, best, candidates->setup.incumbents);
    uint32_t choices[ENCODE_DIMENSIONS_MAX];
    if (!candidates->pool)
        return;
    for (size_t i = 0; i < count; i++) {
        size_t around = archive_around(archive, archive->entries[best[i]].index, NEIGHBOURS_ANY);
        for (size_t a = 0; a < around && filled < candidates->count / 2; a++)
            if (!archive_find(archive, archive->around[a]))
                candidates->pool[filled++] = archive->around[a];
    }
    candidates->pool_near = filled;
    candidates->pool_best = archive->best;
    while (filled < candidates->count)
        candidates->pool[filled++] = valid_set_sample(archive->set, candidates->setup.random);
    for (size_t c = 0; c < candidates->count; c++) {
        candidates_choices(candidates, candidates->pool[c], choices);
        posterior_place(&candidates->posterior, c, choices);
        candidates->taken[c] = archive_find(archive, candidates->pool[c]) != NULL;
    }
}

void candidates_take(struct candidates *candidates, uint64_t index)
{
    if (!candidates->pool)
        candidates->taken[index] = true;
    for (size_t c = 0; candidates->pool && c < candidates->count; c++)
        if (candidates->pool[c] == index)
            candidates->taken[c] = true;
}

size_t candidates_near(struct candidates *candidates)
{
    struct archive *archive = candidates->setup.archive;
    size_t best[CANDIDATES_INCUMBENTS_MAX], count = archive_best_few(archive, best, candidates->setup.incumbents);
    size_t found = 0;
    for (size_t c = 0; candidates->pool && c < candidates->pool_near; c++)
        if (!candidates->taken[c])
            candidates->near[found++] = c;
    for (size_t i = 0; !candidates->pool && i < count; i++) {
        size_t around = archive_around(archive, archive->entries[best[i]].index, NEIGHBOURS_ANY);
        for (size_t a = 0; a < around; a++)
            if (!candidates->taken[archive->around[a]])
                candidates->near[found++] = (size_t)archive->around[a];
    }
    return found;
}
