/* Candidates apart from all that are known. Devices disagree on single parameters: of the configurations that are the
 * fastest elsewhere, those that differ in one value only are all fast here or none is. */
#ifndef CUTUNE_SEARCH_APART_H
#define CUTUNE_SEARCH_APART_H

#include "search/candidates.h"

/* The candidate of the least predicted time among those that differ from each configuration in the archive in at least
 * so many values; SIZE_MAX: there is none, or memory is out, which fails the archive. The blocks of the posterior catch
 * up with the process. O(candidates x archive). */
size_t apart_fastest(struct candidates *candidates, const struct gp *gp, size_t values);

#endif
