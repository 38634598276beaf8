/* Interval arithmetic on expressions: what is known of the value of a node from what is known of its operands. (Moore,
 * Kearfott, Cloud, "Introduction to Interval Analysis", 2009, chapters 2 and 5.) */
#ifndef CUTUNE_BASE_BOUND_H
#define CUTUNE_BASE_BOUND_H

#include "base/expression.h"

struct bound {
    int64_t low, high;
    bool known; /* an integer within low .. high, surely without a fault; false: nothing is known */
};

/* Of any of the values. */
struct bound bound_of_values(const struct value *values, size_t count);

/* Of a node from those of its operands, by their number; what it does not take is ignored. Integers that saturate are
 * always known. */
struct bound bound_of_node(const struct expression_node *nodes, const struct expression_node *node,
                           const struct bound operands[3], enum overflow overflow);

/* Is every value within the bound true, or false? */
bool bound_surely(struct bound bound, bool truth);

static inline bool bound_within(struct bound bound, int64_t low, int64_t high)
{
    return bound.known && bound.low >= low && bound.high <= high;
}

#endif
