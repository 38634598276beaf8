/* Configurations apart from each other. Devices disagree on single parameters: of the configurations that are the
 * fastest elsewhere, those that differ in one value only are all fast here or none is. */
#ifndef CUTUNE_SEARCH_APART_H
#define CUTUNE_SEARCH_APART_H

#include "search/candidates.h"

/* The candidate of the least predicted time among those that differ from each configuration in the archive in at least
 * so many values; SIZE_MAX: there is none, or memory is out, which fails the archive. The blocks of the posterior catch
 * up with the process. O(candidates x archive). */
size_t apart_fastest(struct candidates *candidates, const struct gp *gp, size_t values);

/* Of the ARCHIVE_BEST_MAX best entries of the archive, the best `most` that differ from each better one of them in at
 * least so many values, the best first; returns their number. */
size_t apart_best(const struct candidates *candidates, size_t values, size_t *best, size_t most);

#endif
