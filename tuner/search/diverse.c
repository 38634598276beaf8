#include "search/diverse.h"

#include <stdlib.h>

/* True if a configuration differs from all of `count` others in at least this many values. */
static bool is_apart(const struct encoding *encoding, const uint32_t *choices, const uint32_t *others, size_t count,
                     size_t values)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t *other = others + i * ENCODE_DIMENSIONS_MAX;
        size_t differ = 0;
        for (size_t d = 0; d < encoding->count; d++)
            differ += choices[d] != other[d];
        if (differ < values)
            return false;
    }
    return true;
}

size_t diverse_fastest(struct candidates *candidates, const struct gp *gp, size_t values)
{
    struct archive *archive = candidates->setup.archive;
    struct posterior *posterior = &candidates->posterior;
    uint32_t choices[ENCODE_DIMENSIONS_MAX], *known = malloc((archive->count + 1) * sizeof choices);
    size_t fastest = SIZE_MAX;
    if (!known) {
        archive->failed = true;
        return SIZE_MAX;
    }
    for (size_t i = 0; i < archive->count; i++)
        candidates_choices(candidates, archive->entries[i].index, known + i * ENCODE_DIMENSIONS_MAX);
    for (size_t b = 0; b < posterior->blocks; b++)
        posterior_update_block(posterior, gp, b);
    for (size_t c = 0; c < candidates->count; c++) {
        if (fastest != SIZE_MAX && posterior->mean[c] >= posterior->mean[fastest])
            continue;
        candidates_choices(candidates, candidates_index(candidates, c), choices);
        if (is_apart(candidates->setup.encoding, choices, known, archive->count, values))
            fastest = c;
    }
    free(known);
    return fastest;
}

size_t diverse_best(const struct candidates *candidates, size_t values, size_t *best, size_t most)
{
    const struct archive *archive = candidates->setup.archive;
    uint32_t known[ARCHIVE_BEST_MAX * ENCODE_DIMENSIONS_MAX];
    size_t all[ARCHIVE_BEST_MAX], count = archive_best_few(archive, all, ARCHIVE_BEST_MAX), found = 0;
    for (size_t i = 0; i < count && found < most; i++) {
        uint32_t *choices = known + found * ENCODE_DIMENSIONS_MAX;
        candidates_choices(candidates, archive->entries[all[i]].index, choices);
        if (is_apart(candidates->setup.encoding, choices, known, found, values))
            best[found++] = all[i];
    }
    return found;
}
