/* The third ingredient of a fit over sizes: sizes next to the measured ones, at which fewer configurations are valid.
 *
 * A size of 4096 was measured with vectors and without; the times without them are about those that 4097 would have,
 * where vectors are not valid. So a measured size tells which configuration is the best beside it, too: the fit gets
 * one variant of the size for each set of configurations that is valid there, with the times of the measured size. */
#ifndef CUTUNE_FIT_FIT_VARIANTS_H
#define CUTUNE_FIT_FIT_VARIANTS_H

#include "fit/fit.h"

/* The sizes next to one: those that vary are up to two larger, which makes an odd number and an odd multiple of two of
 * a multiple of four. With very many sizes only one of them differs at a time. */
struct fit_steps {
    size_t name_count;
    bool varies[SIZE_FIT_SIZES_MAX]; /* by name */
};
/* Which of the sizes differ anywhere, apart from the probed ones (NULL: none is); `sizes`: name_count for each of
 * `count`. */
struct fit_steps fit_steps_of(const int64_t *sizes, const bool *probed, size_t count, size_t name_count);
/* How many there are, with the size itself, which is step 0. */
size_t fit_steps_count(const struct fit_steps *steps);
/* Writes the size that is one of the steps away. */
void fit_step(const struct fit_steps *steps, size_t step, const int64_t *from, int64_t *to);

/* *with: the table, and behind its sizes their variants; sizes and times belong to the arena. *origins: by size of
 * *with, the measured size whose times it has. Sizes that differ nowhere in the table have no variants, and a size has
 * none at which a configuration without a time would be valid. Of a probed size, the configurations count that probed
 * sizes have times of. ERROR_SYNTAX: a condition. */
int fit_variants_make(struct arena *arena, const struct fit_table *table, struct fit_table *with,
                      const size_t **origins, struct error *error);

#endif
