/* Formulas of a fit over sizes: which of two configurations is faster, and by how much. A feature cannot tell that, as
 * it knows one thing of the sizes at a time, and nothing of what a configuration makes of them.
 *
 * A formula is the logarithm of one configuration's time over another's: a sum of logarithms of the sizes, of the
 * powers of two that divide them, of their product above some limits, and of the blocks and the waves of blocks that
 * either configuration launches. The weights are a ridge regression (Hoerl and Kennard, "Ridge regression", 1970) at
 * the sizes at which one of the two is fast. All of it is integers, so that a tree decides by the very numbers that
 * programs compute (db/size_fit.h). */
#ifndef CUTUNE_ANALYSE_FIT_FORMULA_H
#define CUTUNE_ANALYSE_FIT_FORMULA_H

#include "analyse/fit.h"
#include "analyse/fit_cover.h"
#include "analyse/fit_tree.h"

/* Puts the formulas of a cover's pairs, made from the losses at sizes[0 .. count), behind the features of the table's
 * sizes. Pairs of its first twelve configurations have one, if 20 sizes have a time of both. Its text and value belong
 * to the arena. */
int fit_formulas_extend(struct arena *arena, const struct fit_table *table, const struct fit_losses *losses,
                        const struct fit_cover *cover, const size_t *sizes, size_t count, struct fit_features *features,
                        struct error *error);

#endif
