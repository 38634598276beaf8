/* Variants: sizes next to the measured ones, at which fewer configurations are valid.
 *
 * A size of 4096 was measured with vectors and without; the times without them are close to those at 4097, where
 * vectors are invalid. A measured size thus shows the best configuration at its neighbours, too: the fit gets one
 * variant of the size for each set of configurations valid there, with the times of the measured size. */
#ifndef CUTUNE_FIT_FIT_VARIANTS_H
#define CUTUNE_FIT_FIT_VARIANTS_H

#include "fit/fit.h"

/* The neighbours of a size: the sizes that vary are up to two larger, which turns a multiple of four into an odd number
 * and an odd multiple of two. With very many sizes only one of them differs at a time. */
struct fit_steps {
    size_t name_count;
    bool varies[SIZE_FIT_SIZES_MAX]; /* by name */
};
/* Finds the sizes that differ anywhere, except at probed sizes (NULL: none); `sizes`: name_count for each of
 * `count`. */
struct fit_steps fit_steps_of(const int64_t *sizes, const bool *probed, size_t count, size_t name_count);
/* Returns the number of steps, including step 0, the size itself. */
size_t fit_steps_count(const struct fit_steps *steps);
/* Writes the size at a step. */
void fit_step(const struct fit_steps *steps, size_t step, const int64_t *from, int64_t *to);

/* with: the table, with variants after its sizes; sizes and times belong to the arena. *origins: by size of *with, the
 * measured size whose times it has. Sizes that differ nowhere in the table have no variants. A size has no variant at
 * which a configuration without a time would be valid; for a probed size, only configurations with times at probed
 * sizes count. ERROR_SYNTAX for a condition. */
int fit_variants_make(struct arena *arena, const struct fit_table *table, struct fit_table *with,
                      const size_t **origins, struct error *error);

#endif
