/* Chooses the candidate to try next from a Gaussian process's predictions for all of them. */
#ifndef CUTUNE_SEARCH_ACQUISITION_H
#define CUTUNE_SEARCH_ACQUISITION_H

#include "search/posterior.h"

/* The candidate of the greatest expected improvement over `best` (Jones, Schonlau and Welch, 1998), weighted with the
 * probability that it works and divided by its effort, if that is known; SIZE_MAX if all are `taken`. Only those blocks
 * of the posterior catch up that may hold it. */
size_t acquisition_best(struct posterior *posterior, const struct gp *gp, const bool *taken, double best);

/* Another one after acquisition_best, with no new rows in between: the best of a block that has not given any since, as
 * candidates of one block are similar; once all have, acquisition_best again. */
size_t acquisition_next(struct posterior *posterior, const struct gp *gp, const bool *taken, double best);

/* Whether the first top of a block has the greater acquisition. */
bool acquisition_above(const struct posterior_top *a, const struct posterior_top *b);

/* The probability that a candidate works: by its neighbourhood, with kernel regression, and by what its values say of
 * each cause of failure. */
double acquisition_works(const struct posterior *posterior, size_t candidate);

#endif
