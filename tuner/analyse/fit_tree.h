/* The second step of a fit over sizes: a tree that orders the chosen configurations for any sizes. */
#ifndef CUTUNE_ANALYSE_FIT_TREE_H
#define CUTUNE_ANALYSE_FIT_TREE_H

#include <stdint.h>

#include "analyse/fit_cover.h"
#include "analyse/fit_formula.h"
#include "db/size_fit.h"

struct fit_tree; /* grown in full, not yet pruned */

/* What the tree decides by, one row for each node that could be made: features and their values at all sizes. */
struct fit_features {
    size_t count;
    const struct size_fit_node *nodes; /* feature, sizes and number */
    const int64_t *values;             /* of size s: values[feature * size_count + s] */
    const uint32_t *orders;            /* likewise: the sizes by their values, equal ones by their numbers */
};

/* Features of sizes, `name_count` numbers each. */
int fit_features_make(struct arena *arena, const int64_t *sizes, size_t size_count, size_t name_count, int sm_count,
                      int64_t l2_bytes, struct fit_features *features, struct error *error);

/* What a tree is grown from. */
struct fit_ground {
    const struct fit_losses *losses;
    const struct fit_features *features;
    const size_t *origins; /* by size (fit_variants.h); NULL: each size has its own */
    size_t leaf_origins;   /* that a leaf has at least; 0: 2 */
    double remainder;      /* a decision by a remainder must save so many times as much as any other: there are many of
                              them, and by chance one of them separates any few sizes; 0: 3 */
    const struct fit_formulas *formulas; /* that each node may learn from its own sizes; NULL: none */
};

/* Grows a tree on sizes[0 .. count), which separates them as far as that lowers the sum of losses: at most
 * SIZE_FIT_DEPTH_MAX levels. The tree belongs to the arena; the texts of its formulas belong to that of `formulas`.
 * Memory that is out is an error. */
int fit_tree_grow(struct arena *arena, const struct fit_ground *ground, const size_t *sizes, size_t count,
                  const struct fit_cover *cover, struct fit_tree **tree, struct error *error);

/* Writes the subtree that is left when each leaf must lower the sum of losses by `price`. Fills the nodes alone. */
void fit_tree_prune(const struct fit_tree *tree, double price, struct size_fit *fit);

#endif
