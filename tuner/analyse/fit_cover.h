/* The first step of a fit over sizes: the fewest configurations that serve all sizes. */
#ifndef CUTUNE_ANALYSE_FIT_COVER_H
#define CUTUNE_ANALYSE_FIT_COVER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* log(time / best time) of each configuration at each size, or what fit.h has in place of a time. */
struct fit_losses {
    size_t size_count, configuration_count;
    const double *of;      /* configuration_count per size */
    const double *weights; /* by size, in sums; NULL: all are 1 */
};

struct fit_cover {
    bool holds;   /* each measured size has a chosen configuration that loses no more than the limit */
    double worst; /* what the worst measured size loses with the best of them; infinite: none of them works there */
    size_t count;
    size_t *chosen; /* room for `most`; the least sum of losses first */
};

/* Covers sizes[0 .. count), of which the first `measured` are not variants (fit_variants.h). With `most` or fewer
 * configurations that hold the limit everywhere: the fewest, and of these sets the one with the least sum of losses.
 * Otherwise `most` that hold it at the measured sizes or, where none do, those with the least worst loss there; the
 * rest of them, and exchanges of one configuration for another, lower the sum of losses at all sizes. Exact by branch
 * and bound; sets with very many candidates are found greedily. */
int fit_cover(const struct fit_losses *losses, const size_t *sizes, size_t count, size_t measured, size_t most,
              double limit, struct fit_cover *cover, struct error *error);

#endif
