/* The first step of a fit over sizes: the fewest configurations that serve all sizes. */
#ifndef CUTUNE_FIT_FIT_COVER_H
#define CUTUNE_FIT_FIT_COVER_H

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
    bool holds;   /* each of the first sizes has a chosen configuration that loses no more than the limit */
    double worst; /* what the worst of them loses with the best of these; infinite: none of them works there */
    size_t count;
    size_t *chosen; /* room for `most`; the least sum of losses first */
};

/* Covers sizes[0 .. count), of which the first `limited` are not variants (fit_variants.h). With `most` or fewer
 * configurations that hold the limit everywhere: the fewest, and of these sets the one with the least sum of losses,
 * exact by branch and bound; sets with very many candidates are found greedily. Otherwise `most`: those that hold it at
 * the first sizes if there are such, else greedily those that hold it at most; the rest of them, and exchanges of one
 * configuration for another, lower the sum of losses at all sizes, in which what exceeds the limit counts twice. If any
 * is valid at all sizes, one of these is then. */
int fit_cover(const struct fit_losses *losses, const size_t *sizes, size_t count, size_t limited, size_t most,
              double limit, struct fit_cover *cover, struct error *error);

/* Adds configurations that other sizes may want, up to `room` (of which cover->chosen has as many). Each is the one
 * that most lowers the sum of what the sizes lose with the best of them and `share` of what they lose with the second
 * best: another size may have a reason against the best one. Only `count` and `chosen` change. */
int fit_cover_extend(const struct fit_losses *losses, const size_t *sizes, size_t count, double share, size_t room,
                     struct fit_cover *cover, struct error *error);

#endif
