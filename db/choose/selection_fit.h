/* Fits over sizes in a selection: each of their configurations is one of its rows. */
#ifndef CUTUNE_DB_SELECTION_FIT_H
#define CUTUNE_DB_SELECTION_FIT_H

#include "choose/selection_row.h"

/* Parses the fits among `count` rows of the database and appends their rows, without texts and numbers. `rows`: those
 * of the selection, with room for SIZE_FIT_CONFIGURATIONS_MAX a fit. Sets selection->newest if `newest` is a fit. */
int selection_fits_read(struct selection *selection, struct selection_row *rows, const struct best *const *bests,
                        size_t count, const struct best *newest, struct error *error);

/* Returns the number for the mean quality of a fit's choice in its fit_quality, and its length: that of held-out sizes
 * (*held) or else of its own. NULL: unknown. */
const char *selection_fit_mean(const struct best *best, bool *held, size_t *length);

/* Finds the sizes of the fits among those of the selection. ERROR_DATA if the names differ. */
int selection_fits_order(struct selection *selection, struct error *error);

/* The row that a fit chooses for sizes in the selection's order on a device (0: unknown, as on the fit's own): the
 * best one that is `allowed` (a bit for each configuration). SIZE_MAX if no row is, and for sizes that are not
 * 64-bit integers. */
size_t selection_fit_choose(const struct selection *selection, const struct selection_fit *fit,
                            const long double *sizes, int sm_count, int64_t l2_bytes, uint32_t allowed);

/* True if sizes lie outside of the measured region of a row's fit; false for rows without a fit. */
bool selection_fit_extrapolates(const struct selection_row *row, const long double *sizes);

#endif
