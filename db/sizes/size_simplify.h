/* Simpler expressions with the same values, where it is known between which numbers the sizes lie: conditions of a fit
 * mostly hold everywhere in the region that it has measured. Intervals (base/bound.h) decide what can be but one
 * number. */
#ifndef CUTUNE_SIZES_SIZE_SIMPLIFY_H
#define CUTUNE_SIZES_SIZE_SIMPLIFY_H

#include "base/bound.h"

/* Adds to `simpler`, an empty graph, an expression that has the same value as node `root` of `graph` for all sizes in
 * `ranges`, by number of the size (NULL: any), and returns its node; EXPRESSION_NONE: out of memory. */
uint32_t size_simplify(struct expression_graph *simpler, const struct expression_graph *graph, uint32_t root,
                       const struct bound *ranges);

/* Of a size; any number without ranges. */
struct bound size_bound(const struct bound *ranges, uint32_t name);

#endif
