/* Which configurations take part in a fit over sizes. */
#ifndef CUTUNE_FIT_FIT_PROPOSALS_H
#define CUTUNE_FIT_FIT_PROPOSALS_H

#include "base/error.h"
#include "fit/fit_journals.h"
#include "space/space.h"

/* Winners that the play-off of a size did not tell from the fastest, and that take part in the fit: at most so many. */
enum { FIT_TIED_MAX = 4 };

/* Configurations that lose least on average over the sizes whose searches timed them: at most so many. */
enum { FIT_GENERAL_MAX = 8 };

/* Collects what takes part: each searched size's winner, its default, what was tied with the winner, and the fastest of
 * those that are valid at each size next to it (analyse/fit_variants.h), and what loses least on average over all. All
 * by the searches alone: the same journals propose the same configurations, whatever the fit measured since. ERROR_DATA
 * for a configuration that the space, parsed and not bound, does not have. Without a space (NULL), what a fit measured
 * takes part instead of the last two. */
int fit_journals_propose(struct fit_journals *journals, const struct space *space, struct error *error);

/* Of what takes part, keeps what a fit measured at any size; all, if no fit measured any of it. An earlier version may
 * have proposed less, and what it did not measure would have times at few sizes. */
void fit_journals_keep_fitted(struct fit_journals *journals);

#endif
