/* The second step of a fit over sizes: a tree that orders the chosen configurations for any sizes. */
#ifndef CUTUNE_FIT_FIT_TREE_H
#define CUTUNE_FIT_FIT_TREE_H

#include <stdint.h>

#include "fit/fit.h"
#include "fit/fit_cover.h"
#include "sizes/size_fit.h"

struct fit_tree; /* a fully grown tree */

/* Features for decisions: one row for each possible node, and their values at all sizes. */
struct fit_features {
    size_t count, size_count;
    const struct size_fit_node *nodes; /* feature, number, and sizes or configurations of the cover */
    const int64_t *values;             /* of size s: values[feature * size_count + s] */
    const uint32_t *orders;            /* likewise: the sizes in the order of their values, equal ones by number */
};

/* Makes the features of a table's sizes, and of the cover's configurations. ERROR_SYNTAX for the blocks of a
 * configuration. */
int fit_features_make(struct arena *arena, const struct fit_table *table, const struct fit_cover *cover,
                      struct fit_features *features, struct error *error);

/* The input of growing a tree. */
struct fit_ground {
    const struct fit_losses *losses;
    const struct fit_features *features;
    const size_t *origins; /* by size (fit_variants.h): a leaf has at least two; NULL: each size is its own */
    double price;          /* least decrease of the summed loss by a leaf, as in fit_tree_prune */
};

/* Grows a tree on sizes[0 .. count), which separates them while that lowers the sum of losses: at most
 * SIZE_FIT_DEPTH_MAX levels. The tree is grown decision by decision, pruned, and improved as a whole. It belongs to the
 * arena and borrows the features. ERROR_MEMORY if memory is out. */
int fit_tree_grow(struct arena *arena, const struct fit_ground *ground, const size_t *sizes, size_t count,
                  const struct fit_cover *cover, struct fit_tree **tree, struct error *error);

/* Finds the subtree in which each leaf lowers the sum of losses by at least `price`. cut[0 .. SIZE_FIT_NODES_MAX): true
 * where the subtree of a node has become a leaf. */
void fit_tree_prune(const struct fit_tree *tree, double price, bool *cut);
/* Returns the order of the chosen configurations at a size, in the pruned tree. */
const uint8_t *fit_tree_order(const struct fit_tree *tree, const bool *cut, size_t size);
/* Writes the nodes of the pruned tree. */
void fit_tree_write(const struct fit_tree *tree, const bool *cut, struct size_fit *fit);

#endif
