/* What the time of a configuration consists of, as far as amounts of work explain it: a sum of parts, each
 * proportional to an amount that the sizes give, such as M * N * K, N * K, or what each wave of blocks does. Where a
 * size is no multiple of a vector, all amounts count once more, since narrow accesses cost by the work: no function of
 * the sizes' logarithms says that 1,001 columns are twice as slow as 1,000 if there are many rows, and as fast if there
 * are few. They do as well where a flag of the space is set, such as a launch that packs a matrix first.
 *
 * No part is negative. The method is that of Franc, Hlavac and Navara, "Sequential coordinate-wise algorithm for the
 * non-negative least squares problem" (2005), with a small ridge; the errors are relative. */
#ifndef CUTUNE_ANALYSE_FIT_PARTS_H
#define CUTUNE_ANALYSE_FIT_PARTS_H

#include <stddef.h>

#include "analyse/fit.h"

/* Waves of so many blocks per multiprocessor are told apart. Blocks of one or two warps leave schedulers idle, of which
 * there are four, until others share the multiprocessor; and those that wait for memory take little longer side by
 * side. */
enum { FIT_WAVES = 3 };
extern const int fit_waves[FIT_WAVES];

/* Writes which of the sizes differ anywhere in the table; returns how many. */
size_t fit_varying(const struct fit_table *table, size_t *varying);

/* Learns from the configuration's times at sizes[0 .. count), where it has one, and writes the logarithm of the sum for
 * all sizes of the table; zeros if it has none. `blocks`: by size, configuration_count apart. `traits`: the table's, of
 * this configuration; NULL: it has no such trait. Flags are those that are 0 or 1, the first eight, or as many as leave
 * room for the others. */
int fit_parts_expect(const struct fit_table *table, const double *blocks, size_t configuration,
                     const struct size_condition *const *traits, const size_t *sizes, size_t count, double *expected,
                     struct error *error);

#endif
