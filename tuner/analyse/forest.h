/* A random forest for regression over parameters with few values (Breiman, "Random Forests", Machine Learning 45,
 * 2001): every tree grows on a bootstrap sample, and each split examines a random half of the columns. */
#ifndef CUTUNE_ANALYSE_FOREST_H
#define CUTUNE_ANALYSE_FOREST_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/random.h"

enum { FOREST_LEVELS = 64 };

struct forest_data {
    size_t rows, columns;
    const uint8_t *levels; /* columns per row, each below FOREST_LEVELS; a split separates low from high levels */
    const double *values;  /* one per row */
};

struct tree_node {
    uint32_t column, level; /* rows whose level in the column is at most `level` go left */
    uint32_t left, right;   /* 0: a leaf */
    double mean;
};

struct tree {
    size_t count, room;
    struct tree_node *nodes;
};

/* Grows a tree on `count` rows, sample[0..], and reorders them. The tree is zeroed, or an earlier one whose memory is
 * reused. */
int tree_grow(struct tree *tree, const struct forest_data *data, size_t *sample, size_t count, struct random *random,
              struct error *error);
double tree_predict(const struct tree *tree, const uint8_t *levels);
void tree_free(struct tree *tree);

#endif
