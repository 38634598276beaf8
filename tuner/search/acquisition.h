/* Chooses the next candidate from a Gaussian process's predictions. */
#ifndef CUTUNE_SEARCH_ACQUISITION_H
#define CUTUNE_SEARCH_ACQUISITION_H

#include "search/posterior.h"

/* Returns the candidate of the greatest expected improvement over `best` (Jones, Schonlau and Welch, 1998), weighted
 * with the probability that it is feasible and divided by its effort, if known; SIZE_MAX if all are `taken`. Updates
 * only the lagging blocks of the posterior that may hold it. */
size_t acquisition_best(struct posterior *posterior, const struct gp *gp, const bool *taken, double best);

/* Returns a further candidate after acquisition_best, without new rows in between: the best of a block that has not
 * given any since, as candidates of one block are similar. Once all blocks have, acts like acquisition_best. */
size_t acquisition_next(struct posterior *posterior, const struct gp *gp, const bool *taken, double best);

/* True if the first top of a block has the greater acquisition. */
bool acquisition_above(const struct posterior_top *a, const struct posterior_top *b);

/* Returns the probability that a candidate is feasible: from its neighbourhood by kernel regression, and from the
 * effects of its values on each cause of failure. */
double acquisition_feasible(const struct posterior *posterior, size_t candidate);

#endif
