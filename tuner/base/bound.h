/* Interval arithmetic on expressions: derives the bound of a node from the bounds of its operands. (Moore, Kearfott,
 * Cloud, "Introduction to Interval Analysis", 2009, chapters 2 and 5.) */
#ifndef CUTUNE_BASE_BOUND_H
#define CUTUNE_BASE_BOUND_H

#include "base/expression.h"

struct bound {
    int64_t low, high;
    bool known; /* the value is an integer within low .. high and not a fault; false: no information */
};

/* Returns the smallest bound that contains all values. */
struct bound bound_of_values(const struct value *values, size_t count);

/* Returns the bound of a node from the bounds of its operands. Unused operands are ignored. Saturating integers always
 * have a known bound. */
struct bound bound_of_node(const struct expression_node *nodes, const struct expression_node *node,
                           const struct bound operands[3], enum overflow overflow);

/* True if every value within the bound is true (`truth`), or if every one is false (!truth). */
bool bound_surely(struct bound bound, bool truth);

static inline bool bound_within(struct bound bound, int64_t low, int64_t high)
{
    return bound.known && bound.low >= low && bound.high <= high;
}

#endif
