/* Simpler expressions with the same values, where it is known between which numbers the sizes lie: conditions of a fit
 * mostly hold everywhere in the region that it has measured, and there its formulas need few divisions.
 *
 * The method is interval analysis (R. E. Moore, Interval Analysis, 1966) with the saturating arithmetic of
 * db/sizes/choose_fit.h: where an operation is monotone in each operand, its least and greatest values are those at the
 * ends of theirs. */
#ifndef CUTUNE_SIZES_SIZE_SIMPLIFY_H
#define CUTUNE_SIZES_SIZE_SIMPLIFY_H

#include "sizes/size_node.h"

/* What a size is between. */
struct size_range {
    int64_t least, most;
};

/* The node in `graph`, another graph than its own, that has the same value for all sizes in `ranges`, by number of the
 * size (NULL: any). `least` and `most` of all nodes of `graph` hold there. NULL: out of memory. */
struct size_node *size_simplify(struct size_graph *graph, struct size_node *node, const struct size_range *ranges);

#endif
