/* Which candidate to try next, from what a Gaussian process says of all of them. */
#ifndef CUTUNE_SEARCH_IMPROVE_H
#define CUTUNE_SEARCH_IMPROVE_H

#include "search/field.h"

/* The candidate of the greatest expected improvement over `best` (Jones, Schonlau and Welch, 1998), weighted with the
 * probability that it works; SIZE_MAX when all are `taken`.
 * Only those blocks of the field catch up that may hold it. */
size_t improve_best(struct field *field, const struct gp *gp, const bool *taken, double best);

/* The probability that a candidate works: that of its neighbourhood, by kernel regression. */
double improve_works(const struct field *field, size_t candidate);

#endif
