/* Chooses the configurations that take part in a fit over sizes. */
#ifndef CUTUNE_FIT_FIT_PROPOSALS_H
#define CUTUNE_FIT_FIT_PROPOSALS_H

#include "base/error.h"
#include "fit/fit_journals.h"
#include "space/space.h"

/* Maximum of configurations of one size that are tied with its winner and take part. */
enum { FIT_TIED_MAX = 4 };

/* Maximum of configurations that take part for their least mean loss over the sizes that timed them. */
enum { FIT_GENERAL_MAX = 8 };

/* Collects the configurations that take part. Each searched size gives its winner, its default, those tied with the
 * winner, and the fastest that is valid at each neighbouring size (fit/fit_variants.h); all sizes together give those
 * of the least mean loss. Uses the searches alone: the same journals propose the same configurations, whatever a fit
 * measured since. ERROR_DATA for a configuration outside the parsed, unbound space. Without a space (NULL),
 * configurations that a fit measured replace the last two kinds. */
int fit_journals_propose(struct fit_journals *journals, const struct space *space, struct error *error);

/* Keeps the configurations that a fit measured at any size; all, if a fit measured none of them. An earlier version may
 * have proposed fewer, so that others have times at few sizes. */
void fit_journals_keep_fitted(struct fit_journals *journals);

#endif
