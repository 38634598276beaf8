/* Interval arithmetic on integer terms while some of their parameters are unbound: a condition that intervals decide
 * needs no further evaluation. (Moore, Kearfott, Cloud, "Introduction to Interval Analysis", 2009, chapters 2 and 5.)
 */
#ifndef CUTUNE_SPACE_BOUND_H
#define CUTUNE_SPACE_BOUND_H

#include "space/terms.h"

struct bound {
    int64_t low, high;
    bool known; /* an integer within low .. high, surely without a fault; false: nothing is known */
};

struct bound bound_of_values(const struct value *values, size_t count);
/* The bound of a term from its operands' bounds. Ignores `b` and `c` if the operation does not take them. */
struct bound bound_of_term(const struct term *term, struct bound a, struct bound b, struct bound c);
/* The bound of an expression of a bound space over all values of its parameters. Fails with ERROR_MEMORY. */
int bound_of_expr(const struct space *space, const struct expr *expr, struct bound *bound, struct error *error);
/* Is every value within the bound true, or false? */
bool bound_surely(struct bound bound, bool truth);

#endif
