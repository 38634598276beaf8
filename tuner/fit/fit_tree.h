/* The second step of a fit over sizes: a tree that orders the chosen configurations for any sizes. */
#ifndef CUTUNE_FIT_FIT_TREE_H
#define CUTUNE_FIT_FIT_TREE_H

#include <stdint.h>

#include "fit/fit.h"
#include "fit/fit_cover.h"
#include "sizes/size_fit.h"

struct fit_tree; /* grown in full */

/* What the tree decides by, one row for each node that could be made: features and their values at all sizes. */
struct fit_features {
    size_t count, size_count;
    const struct size_fit_node *nodes; /* feature, sizes or configurations of the cover, and number */
    const int64_t *values;             /* of size s: values[feature * size_count + s] */
    const uint32_t *orders;            /* likewise: the sizes by their values, equal ones by their numbers */
};

/* Features of a table's sizes, and of its configurations that a cover has. ERROR_SYNTAX: the blocks of one. */
int fit_features_make(struct arena *arena, const struct fit_table *table, const struct fit_cover *cover,
                      struct fit_features *features, struct error *error);

/* What a tree is grown from. */
struct fit_ground {
    const struct fit_losses *losses;
    const struct fit_features *features;
    const size_t *origins; /* by size (fit_variants.h): a leaf has two or more; NULL: each size has its own */
    double price;          /* that each leaf must lower the sum of losses by, as in fit_tree_prune */
};

/* Grows a tree on sizes[0 .. count), which separates them as far as that lowers the sum of losses: at most
 * SIZE_FIT_DEPTH_MAX levels. It is grown one question after the other, cut back, and improved as a whole. The tree
 * belongs to the arena and borrows the features. Memory that is out is an error. */
int fit_tree_grow(struct arena *arena, const struct fit_ground *ground, const size_t *sizes, size_t count,
                  const struct fit_cover *cover, struct fit_tree **tree, struct error *error);

/* Finds the subtree that is left when each leaf must lower the sum of losses by `price`. cut[0 .. SIZE_FIT_NODES_MAX)
 * gets whether the subtree of a node has become a leaf. */
void fit_tree_prune(const struct fit_tree *tree, double price, bool *cut);
/* The order of the chosen configurations at a size, in what is left. */
const uint8_t *fit_tree_order(const struct fit_tree *tree, const bool *cut, size_t size);
/* Writes what is left: the nodes alone. */
void fit_tree_write(const struct fit_tree *tree, const bool *cut, struct size_fit *fit);

#endif
