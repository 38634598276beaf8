/* Formulas of a fit over sizes: which of two configurations is faster, and by how much. A feature cannot tell that, as
 * it knows one thing of the sizes at a time, and nothing of what a configuration makes of them.
 *
 * A formula is the logarithm of one configuration's time over another's: a sum of logarithms of the sizes, of the
 * powers of two that divide them, of their product above some limits, and of the blocks, the waves of blocks and the
 * traits that either configuration has. The weights are a ridge regression (Hoerl and Kennard, "Ridge regression",
 * 1970) at the sizes at which one of the two is fast. All of it is integers, so that a tree decides by the very numbers
 * that programs compute (db/size_fit.h). */
#ifndef CUTUNE_ANALYSE_FIT_FORMULA_H
#define CUTUNE_ANALYSE_FIT_FORMULA_H

#include "analyse/fit.h"
#include "analyse/fit_cover.h"

/* Terms: shared ones are of the sizes alone, own ones of a configuration. LIMITS: of the product. */
enum {
    FIT_FORMULA_LIMITS = 2,
    FIT_FORMULA_SHARED = 2 * SIZE_FIT_SIZES_MAX + FIT_FORMULA_LIMITS,
    FIT_FORMULA_OWN = 12,
    FIT_FORMULA_TERMS = FIT_FORMULA_SHARED + 2 * FIT_FORMULA_OWN
};

struct fit_term;
struct fit_formulas; /* the terms of a cover's configurations */

struct fit_formula {
    unsigned a, b; /* of the cover: the logarithm of a's time over b's, times SIZE_FIT_FORMULA_ONE */
    size_t count;
    int64_t constant;
    const struct fit_term *terms[FIT_FORMULA_TERMS];
    int64_t weights[FIT_FORMULA_TERMS];
};

/* Finds the terms at all sizes of the table. It borrows table, losses, cover and error, and belongs to the arena.
 * ERROR_MEMORY. */
int fit_formulas_open(struct arena *arena, const struct fit_table *table, const struct fit_losses *losses,
                      const struct fit_cover *cover, struct fit_formulas **formulas, struct error *error);

/* How many configurations, the first ones of the cover, have formulas: at most 12. */
size_t fit_formulas_configurations(const struct fit_formulas *formulas);

/* Learns the formula of two of these from their losses at sizes[0 .. count). False: fewer than 20 of these have a time
 * of both. */
bool fit_formula_learn(const struct fit_formulas *formulas, size_t a, size_t b, const size_t *sizes, size_t count,
                       struct fit_formula *formula);

/* What it comes to at a size of the table. */
int64_t fit_formula_value(const struct fit_formula *formula, size_t size);

/* Makes a node that decides by the formula, without its limit. Text and value belong to the arena; value NULL: the text
 * is nested too deeply for readers. ERROR_MEMORY. */
int fit_formula_write(const struct fit_formulas *formulas, const struct fit_formula *formula,
                      struct size_fit_node *node);

#endif
