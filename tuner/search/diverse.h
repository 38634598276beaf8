/* Diverse configurations. Devices disagree on single parameters: of configurations that are the fastest in prior runs,
 * those that differ in one value only are all fast here, or none is. */
#ifndef CUTUNE_SEARCH_DIVERSE_H
#define CUTUNE_SEARCH_DIVERSE_H

#include "search/candidates.h"

/* Returns the candidate of the least predicted time among those that differ from each configuration in the archive in
 * at least this many values; SIZE_MAX: none, or memory is out, which fails the archive. Updates the blocks of the
 * posterior. O(candidates x archive). */
size_t diverse_fastest(struct candidates *candidates, const struct gp *gp, size_t values);

/* Finds the best `most` of the ARCHIVE_BEST_MAX best entries of the archive that differ from each better one of them in
 * at least this many values, the best first; returns their number. */
size_t diverse_best(const struct candidates *candidates, size_t values, size_t *best, size_t most);

#endif
