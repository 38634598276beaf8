/* Simplifies expressions for sizes in known ranges: most conditions of a fit hold everywhere in its measured region.
 * Interval arithmetic (base/bound.h) finds parts with a single possible value. */
#ifndef CUTUNE_SIZES_SIZE_SIMPLIFY_H
#define CUTUNE_SIZES_SIZE_SIMPLIFY_H

#include "base/bound.h"

/* Adds a simplified form of node `root` of `graph` to `simpler`, an empty graph. The new expression has the same value
 * for all sizes in `ranges`, one for each size (NULL: any sizes). Returns its node; EXPRESSION_NONE: out of memory. */
uint32_t size_simplify(struct expression_graph *simpler, const struct expression_graph *graph, uint32_t root,
                       const struct bound *ranges);

/* Returns the range of a size; all integers if `ranges` is NULL. */
struct bound size_bound(const struct bound *ranges, uint32_t name);

#endif
