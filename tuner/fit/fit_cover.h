/* The first step of a fit over sizes: the fewest configurations that serve all sizes. */
#ifndef CUTUNE_FIT_FIT_COVER_H
#define CUTUNE_FIT_FIT_COVER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* The losses of each configuration at each size: log(time / best time), or the special values of fit.h. */
struct fit_losses {
    size_t size_count, configuration_count;
    const double *of;      /* configuration_count per size */
    const double *weights; /* by size, in sums; NULL: all are 1 */
};

struct fit_cover {
    bool holds;   /* each of the limited sizes has a chosen configuration that loses no more than the limit */
    double worst; /* loss of the worst limited size with the best of the chosen ones; infinite: none works there */
    size_t count;
    size_t *chosen; /* room for `most`; the least sum of losses first */
};

/* Covers sizes[0 .. count), of which the first `limited` are not variants (fit_variants.h).
 *
 * If at most `most` configurations hold the limit everywhere, finds the smallest such set, and of equal ones that with
 * the least sum of losses: exact by branch and bound, greedy for very many candidates. Otherwise finds `most`
 * configurations: those that hold the limit at the limited sizes, else greedily those that hold it at the most of them.
 * The rest of the room, and exchanges of one configuration for another, lower the sum of losses at all sizes, in which
 * the excess over the limit counts twice. The set then has a configuration that is valid at all sizes, if there is
 * any. */
int fit_cover(const struct fit_losses *losses, const size_t *sizes, size_t count, size_t limited, size_t most,
              double limit, struct fit_cover *cover, struct error *error);

/* Adds configurations that other sizes may need, up to `room`, the length of cover->chosen. Greedily minimises the
 * summed loss of the sizes with the best of them, plus `share` of the loss with the second best: another size may
 * exclude the best one. Changes only `count` and `chosen`. */
int fit_cover_extend(const struct fit_losses *losses, const size_t *sizes, size_t count, double share, size_t room,
                     struct fit_cover *cover, struct error *error);

#endif
