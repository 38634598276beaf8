/* The region of a fit, and the points to measure in it. */
#ifndef CUTUNE_FIT_FIT_SIZES_H
#define CUTUNE_FIT_FIT_SIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "fit/fit.h"
#include "sizes/size_fit.h"
#include "space/space.h"

/* Zeroed: empty. */
struct fit_region {
    struct arena arena;
    size_t count;
    struct size_fit_size sizes[SIZE_FIT_SIZES_MAX];
    struct space *where; /* a space of these sizes with the condition as its one constraint; NULL: none */
};

/* Reads "ROWS=64..16384, COLS=64..16384": problem sizes of the space, each with its least and greatest value (constant
 * expressions); and the condition, an expression of the language over them that selects sizes (NULL: all). ERROR_USAGE
 * for a name outside the space, and for a range that is empty or begins below 1. */
int fit_region_read(struct fit_region *region, struct space *space, const char *over, const char *where,
                    struct error *error);
void fit_region_free(struct fit_region *region); /* zeroed or read */

/* has: the region contains these sizes. ERROR_VALUE if the condition has no value for them. */
int fit_region_has(const struct fit_region *region, const int64_t *sizes, bool *has, struct error *error);

/* Writes points of the region in a fixed order, all different: first its corners, then a sequence that covers it evenly
 * by the logarithms of the sizes. Sizes are rounded in turn to primes, odd multiples of powers of two, powers of two
 * and multiples of vector widths. (The sequence: M. Roberts, The unreasonable effectiveness of quasirandom sequences,
 * 2018.) Writes up to `room` points of region->count sizes each; fewer if the region has no more. */
int fit_sizes_sample(const struct fit_region *region, uint64_t seed, size_t room, int64_t *points, size_t *count,
                     struct error *error);

/* Returns the distance of two points: the sum of the squared logarithms of the sizes' ratios. */
double fit_sizes_distance(const int64_t *a, const int64_t *b, size_t count);

#endif
