/* Intervals that integer terms stay within while some of their parameters are not bound: what they decide needs no
 * further look. (Moore, Kearfott, Cloud, "Introduction to Interval Analysis", 2009, chapters 2 and 5.) */
#ifndef CUTUNE_SPACE_BOUND_H
#define CUTUNE_SPACE_BOUND_H

#include "space/terms.h"

struct bound {
    int64_t low, high;
    bool known; /* an integer within low .. high, without a fault; otherwise nothing is known */
};

struct bound bound_of_values(const struct value *values, size_t count);
/* Of a term from its operands' (`b` and `c` are looked at only where the operation takes them). */
struct bound bound_of_term(const struct term *term, struct bound a, struct bound b, struct bound c);
/* Whether every value within is true, or false. */
bool bound_surely(struct bound bound, bool truth);

#endif
