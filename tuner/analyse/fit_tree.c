#include "analyse/fit_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF_SIZES = 2, LOSS_MAX = 10 };

struct node {
    size_t feature; /* of the features; not set in a leaf */
    int64_t most;
    size_t low, high; /* children; 0: a leaf */
    double loss;      /* as a leaf */
    uint8_t order[SIZE_FIT_CONFIGURATIONS_MAX];
};

struct fit_tree {
    const struct fit_features *features;
    size_t chosen_count, count;
    struct node nodes[SIZE_FIT_NODES_MAX];
};

/* ---- Features ---- */

/* Calls up to once for each feature, sizes and number: returns how many, and writes them unless NULL. */
static size_t list_features(size_t names, struct size_fit_node *nodes)
{
    size_t count = 0;
    for (enum size_feature f = 0; f < SIZE_FEATURE_COUNT; f++) {
        const struct size_feature_row *row = &size_feature_rows[f];
        unsigned a_end = row->sizes > 0 ? (unsigned)names : 1, b_end = row->sizes > 1 ? (unsigned)names : 1;
        for (unsigned a = 0; a < a_end; a++)
            for (unsigned b = 0; b < b_end; b++)
                for (int by = row->first; by <= row->last; by = by ? by * 2 : 1) {
                    /* Only a ratio depends on the order. */
                    if (row->sizes > 1 && (a == b || (a > b && f != SIZE_FEATURE_ratio)))
                        continue;
                    if (nodes)
                        nodes[count] = (struct size_fit_node){.feature = f, .a = a, .b = b, .by = by};
                    count++;
                }
    }
    return count;
}

int fit_features_make(struct arena *arena, const int64_t *sizes, size_t size_count, size_t name_count, int sm_count,
                      int64_t l2_bytes, struct fit_features *features, struct error *error)
{
    size_t count = list_features(name_count, NULL);
    struct size_fit_node *nodes = arena_array(arena, count, sizeof *nodes);
    int64_t *values = arena_array(arena, count * size_count, sizeof *values);
    if (!nodes || !values)
        return error_memory(error);
    list_features(name_count, nodes);
    for (size_t f = 0; f < count; f++)
        for (size_t s = 0; s < size_count; s++)
            values[f * size_count + s] =
                size_fit_feature(&nodes[f], sizes + s * name_count, name_count, sm_count, l2_bytes);
    *features = (struct fit_features){count, nodes, values};
    return 0;
}

/* ---- Growing ---- */

struct grower {
    struct fit_tree *tree;
    const struct fit_losses *losses;
    const double *costs; /* chosen_count per size: what taking the configuration first costs there */
    size_t *sizes;       /* reordered: a node has a range of them */
    struct place {
        int64_t value;
        size_t size;
    } * places;
    size_t ranking[SIZE_FIT_CONFIGURATIONS_MAX]; /* of a configuration in the order for all sizes */
};

static void sum_costs(const struct grower *grower, const size_t *sizes, size_t count, double *sums)
{
    size_t chosen = grower->tree->chosen_count;
    for (size_t c = 0; c < chosen; c++)
        sums[c] = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < chosen; c++)
            sums[c] += grower->costs[sizes[i] * chosen + c];
}

static double least(const double *sums, size_t count)
{
    double found = INFINITY;
    for (size_t c = 0; c < count; c++)
        found = fmin(found, sums[c]);
    return found;
}

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = (x->value > y->value) - (x->value < y->value);
    return order ? order : (x->size > y->size) - (x->size < y->size);
}

struct split {
    double loss;
    size_t feature;
    int64_t most;
};

/* A threshold between two values: the geometric mean, as sizes are spread. A remainder has no middle. */
static int64_t between(const struct size_fit_node *node, int64_t low, int64_t high)
{
    if (node->feature == SIZE_FEATURE_remainder)
        return low;
    long double middle = low > 0 ? sqrtl((long double)low * (long double)high)
                                 : (long double)low + ((long double)high - (long double)low) / 2;
    if (!(middle < (long double)high))
        return high - 1;
    int64_t most = (int64_t)floorl(middle);
    return most < low ? low : most;
}

static void try_feature(const struct grower *grower, const size_t *sizes, size_t count, const double *totals,
                        size_t feature, struct split *best)
{
    const struct fit_features *features = grower->tree->features;
    const int64_t *values = features->values + feature * grower->losses->size_count;
    size_t chosen = grower->tree->chosen_count;
    double low[SIZE_FIT_CONFIGURATIONS_MAX] = {0}, high[SIZE_FIT_CONFIGURATIONS_MAX];
    for (size_t i = 0; i < count; i++)
        grower->places[i] = (struct place){values[sizes[i]], sizes[i]};
    qsort(grower->places, count, sizeof *grower->places, compare_places);
    for (size_t i = 0; i + LEAF_SIZES < count; i++) {
        for (size_t c = 0; c < chosen; c++) {
            low[c] += grower->costs[grower->places[i].size * chosen + c];
            high[c] = totals[c] - low[c];
        }
        if (i + 1 < LEAF_SIZES || grower->places[i].value == grower->places[i + 1].value)
            continue;
        double loss = least(low, chosen) + least(high, chosen);
        if (loss < best->loss - 1e-9)
            *best = (struct split){
                loss, feature,
                between(&features->nodes[feature], grower->places[i].value, grower->places[i + 1].value)};
    }
}

static void make_leaf(const struct grower *grower, struct node *node, const double *sums)
{
    size_t chosen = grower->tree->chosen_count;
    for (size_t c = 0; c < chosen; c++) {
        size_t at = c;
        for (; at > 0; at--) {
            size_t before = node->order[at - 1];
            bool earlier = sums[c] < sums[before] - 1e-9 ||
                           (sums[c] < sums[before] + 1e-9 && grower->ranking[c] < grower->ranking[before]);
            if (!earlier)
                break;
            node->order[at] = (uint8_t)before;
        }
        node->order[at] = (uint8_t)c;
    }
    node->loss = sums[node->order[0]];
}

static size_t divide(const struct grower *grower, size_t *sizes, size_t count, const struct split *split)
{
    const int64_t *values = grower->tree->features->values + split->feature * grower->losses->size_count;
    size_t low = 0;
    for (size_t i = 0; i < count; i++)
        if (values[sizes[i]] <= split->most) {
            size_t size = sizes[i];
            sizes[i] = sizes[low];
            sizes[low++] = size;
        }
    return low;
}

static size_t grow(struct grower *grower, size_t *sizes, size_t count, size_t depth)
{
    struct fit_tree *tree = grower->tree;
    double sums[SIZE_FIT_CONFIGURATIONS_MAX];
    size_t number = tree->count++;
    struct node *node = &tree->nodes[number];
    sum_costs(grower, sizes, count, sums);
    make_leaf(grower, node, sums);
    struct split split = {.loss = node->loss};
    if (depth == SIZE_FIT_DEPTH_MAX || count < (size_t)2 * LEAF_SIZES)
        return number;
    for (size_t f = 0; f < tree->features->count; f++)
        try_feature(grower, sizes, count, sums, f, &split);
    if (!(split.loss < node->loss))
        return number;
    size_t low = divide(grower, sizes, count, &split);
    node->feature = split.feature;
    node->most = split.most;
    node->low = grow(grower, sizes, low, depth + 1);
    node->high = grow(grower, sizes + low, count - low, depth + 1);
    return number;
}

/* What taking a configuration first costs at a size: its loss or, where it is not valid and the next one in the order
 * is taken, that of the best valid one. */
static void find_costs(const struct fit_losses *losses, const struct fit_cover *cover, size_t size, double *costs)
{
    const double *of = losses->of + size * losses->configuration_count;
    double least_valid = LOSS_MAX;
    for (size_t c = 0; c < cover->count; c++)
        if (isfinite(of[cover->chosen[c]]))
            least_valid = fmin(least_valid, of[cover->chosen[c]]);
    for (size_t c = 0; c < cover->count; c++) {
        double loss = of[cover->chosen[c]];
        costs[c] = isinf(loss) && loss < 0 ? least_valid : isfinite(loss) ? fmin(loss, LOSS_MAX) : LOSS_MAX;
    }
}

int fit_tree_grow(struct arena *arena, const struct fit_losses *losses, const struct fit_features *features,
                  const size_t *sizes, size_t count, const struct fit_cover *cover, struct fit_tree **tree,
                  struct error *error)
{
    double *costs = arena_array(arena, losses->size_count * cover->count, sizeof *costs);
    double sums[SIZE_FIT_CONFIGURATIONS_MAX];
    struct grower grower = {.losses = losses, .costs = costs};
    struct node all = {0};
    grower.tree = *tree = arena_alloc(arena, sizeof **tree);
    grower.sizes = arena_array(arena, count, sizeof *grower.sizes);
    grower.places = arena_array(arena, count, sizeof *grower.places);
    if (!costs || !grower.tree || !grower.sizes || !grower.places)
        return error_memory(error);
    grower.tree->features = features;
    grower.tree->chosen_count = cover->count;
    memcpy(grower.sizes, sizes, count * sizeof *sizes);
    for (size_t i = 0; i < count; i++)
        find_costs(losses, cover, sizes[i], costs + sizes[i] * cover->count);
    sum_costs(&grower, sizes, count, sums);
    for (size_t c = 0; c < cover->count; c++)
        grower.ranking[c] = c;
    make_leaf(&grower, &all, sums);
    for (size_t c = 0; c < cover->count; c++)
        grower.ranking[all.order[c]] = c;
    grow(&grower, grower.sizes, count, 0);
    return 0;
}

/* ---- Pruning ---- */

/* The loss and the leaves of what is left of a subtree (minimal cost-complexity pruning: Breiman, Friedman, Olshen and
 * Stone, "Classification and Regression Trees", 1984). */
static double pruned_loss(const struct fit_tree *tree, size_t number, double price, size_t *leaves, bool *cut)
{
    const struct node *node = &tree->nodes[number];
    *leaves = 1;
    cut[number] = true;
    if (!node->low)
        return node->loss;
    size_t low, high;
    double loss = pruned_loss(tree, node->low, price, &low, cut) + pruned_loss(tree, node->high, price, &high, cut);
    if (!(loss + price * (double)(low + high - 1) < node->loss))
        return node->loss;
    cut[number] = false;
    *leaves = low + high;
    return loss;
}

static void write(const struct fit_tree *tree, size_t number, const bool *cut, struct size_fit *fit)
{
    const struct node *from = &tree->nodes[number];
    struct size_fit_node *to = &fit->nodes[fit->node_count++];
    *to = (struct size_fit_node){.leaf = cut[number]};
    if (cut[number]) {
        memcpy(to->order, from->order, tree->chosen_count);
        return;
    }
    *to = tree->features->nodes[from->feature];
    to->most = from->most;
    write(tree, from->low, cut, fit);
    to->high = fit->node_count;
    write(tree, from->high, cut, fit);
}

void fit_tree_prune(const struct fit_tree *tree, double price, struct size_fit *fit)
{
    bool cut[SIZE_FIT_NODES_MAX];
    size_t leaves;
    pruned_loss(tree, 0, price, &leaves, cut);
    fit->node_count = 0;
    write(tree, 0, cut, fit);
}
