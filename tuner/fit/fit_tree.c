#include "fit/fit_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF_ORIGINS = 2, LOSS_MAX = 10, SORTED = 32 };

/* Factor by which a remainder must save more than another decision: there are many remainders, and by chance one of
 * them separates any few sizes. */
static const double remainder_share = 3;

struct node {
    size_t feature; /* of the decision: sizes with at most `most` go to `low` */
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

/* Lists each feature with its sizes and number, and those of two configurations with known blocks. Returns their
 * number, and writes them unless `nodes` is NULL. */
static size_t list_features(size_t names, const struct size_condition *const *blocks, size_t configurations,
                            struct size_fit_node *nodes)
{
    size_t count = 0;
    for (enum size_feature f = 0; f < SIZE_FEATURE_COUNT; f++) {
        const struct size_feature_row *row = &size_feature_rows[f];
        const bool of_blocks = row->of == SIZE_FEATURE_OF_blocks;
        size_t all = of_blocks ? configurations : names, a_end = row->count > 0 ? all : 1;
        size_t b_end = row->count > 1 ? all : 1;
        for (unsigned a = 0; a < a_end; a++)
            for (unsigned b = 0; b < b_end; b++)
                for (int by = row->first; by <= row->last; by = by ? by * 2 : 1) {
                    /* Only a ratio depends on the order of its sizes. */
                    if (row->count > 1 && (a == b || (a > b && f != SIZE_FEATURE_ratio && !of_blocks)))
                        continue;
                    if (of_blocks && (!blocks[a] || !blocks[b]))
                        continue;
                    if (nodes)
                        nodes[count] = (struct size_fit_node){.feature = f, .a = a, .b = b, .by = by};
                    count++;
                }
    }
    return count;
}

struct place {
    int64_t value;
    size_t size;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = (x->value > y->value) - (x->value < y->value);
    return order ? order : (x->size > y->size) - (x->size < y->size);
}

/* Sorts the sizes by each feature once, as a tree needs these orders often. */
static void order_sizes(const int64_t *values, size_t size_count, struct place *places, uint32_t *order)
{
    for (size_t s = 0; s < size_count; s++)
        places[s] = (struct place){values[s], s};
    qsort(places, size_count, sizeof *places, compare_places);
    for (size_t s = 0; s < size_count; s++)
        order[s] = (uint32_t)places[s].size;
}

/* Parses the blocks, by configuration of the cover; NULL: unknown. */
static int parse_blocks(struct arena *arena, const struct fit_table *table, const struct fit_cover *cover,
                        const struct size_condition **blocks, struct error *error)
{
    int code = 0;
    for (size_t c = 0; c < cover->count && !code; c++)
        code = size_condition_parse(arena, table->blocks ? table->blocks[cover->chosen[c]] : "", table->names,
                                    table->name_count, &blocks[c], error);
    return code;
}

/* Returns a size, or the blocks of a configuration. */
static int64_t operand_of(const struct size_fit_node *node, unsigned operand, const int64_t *sizes,
                          const struct size_condition *const *blocks)
{
    return size_feature_rows[node->feature].of == SIZE_FEATURE_OF_sizes ? sizes[operand]
                                                                        : size_condition_value(blocks[operand], sizes);
}

int fit_features_make(struct arena *arena, const struct fit_table *table, const struct fit_cover *cover,
                      struct fit_features *features, struct error *error)
{
    const struct size_condition *blocks[SIZE_FIT_CONFIGURATIONS_MAX];
    int code = parse_blocks(arena, table, cover, blocks, error);
    if (code)
        return code;
    size_t count = list_features(table->name_count, blocks, cover->count, NULL), size_count = table->size_count;
    struct size_fit_node *nodes = arena_array(arena, count, sizeof *nodes);
    int64_t *values = arena_array(arena, count * size_count, sizeof *values);
    uint32_t *orders = arena_array(arena, count * size_count, sizeof *orders);
    struct place *places = arena_array(arena, size_count, sizeof *places);
    if (!nodes || !values || !orders || !places)
        return error_memory(error);
    list_features(table->name_count, blocks, cover->count, nodes);
    for (size_t f = 0; f < count; f++) {
        for (size_t s = 0; s < size_count; s++) {
            const int64_t *sizes = table->sizes + s * table->name_count;
            values[f * size_count + s] =
                size_feature_value(&nodes[f], operand_of(&nodes[f], nodes[f].a, sizes, blocks),
                                   operand_of(&nodes[f], nodes[f].b, sizes, blocks),
                                   size_fit_volume(sizes, table->name_count), table->sm_count, table->l2_bytes);
        }
        order_sizes(values + f * size_count, size_count, places, orders + f * size_count);
    }
    *features = (struct fit_features){count, size_count, nodes, values, orders};
    return 0;
}

/* ---- Growing ---- */

/* The state of growing. Sizes with the same valid configurations form a kind. A leaf's order serves a kind by its first
 * valid configuration, so one order may serve each kind by another. */
struct grower {
    struct fit_tree *tree;
    const struct fit_losses *losses;
    const struct fit_features *features;
    const size_t *origins; /* NULL: each size is its own */
    size_t *below, *above; /* by origin: number of its sizes on either side of a threshold */
    const double *costs;   /* chosen_count per size: loss of the configuration there; 0: invalid */
    const size_t *kind;    /* by size */
    const bool *valid;     /* chosen_count per kind */
    size_t kind_count;
    size_t *sizes;     /* reordered: each node has a range of them */
    bool *served;      /* by position in the range of a node */
    double *low;       /* chosen_count per kind */
    double *low_least; /* by kind; high_least: the same above a threshold */
    double *high_least;
    bool *inside;         /* by size: in the node being split */
    double *gains;        /* by size */
    struct place *places; /* the node's sizes, in the order of a feature */
};

static void sum_costs(const struct grower *grower, const size_t *sizes, size_t count, double *sums)
{
    size_t chosen = grower->tree->chosen_count;
    memset(sums, 0, grower->kind_count * chosen * sizeof *sums);
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < chosen; c++)
            sums[grower->kind[sizes[i]] * chosen + c] += grower->costs[sizes[i] * chosen + c];
}

/* Returns the least of a kind's sums, minus those of `without` (NULL: none). 0: none is valid. */
static double least(const struct grower *grower, size_t kind, const double *sums, const double *without)
{
    size_t chosen = grower->tree->chosen_count;
    double found = INFINITY;
    for (size_t c = kind * chosen; c < (kind + 1) * chosen; c++) {
        double sum = sums[c] - (without ? without[c] : 0);
        if (grower->valid[c] && sum < found) /* fmin would be a call */
            found = sum;
    }
    return isfinite(found) ? found : 0;
}

struct split {
    double whole, loss; /* without a split, and with it */
    size_t feature;
    int64_t most;
};

static bool is_remainder(const struct grower *grower, size_t feature)
{
    return grower->features->nodes[feature].feature == SIZE_FEATURE_remainder;
}

/* Returns a threshold between two values: the geometric mean, as sizes are spread. A remainder has no middle. */
static int64_t between(const struct grower *grower, size_t feature, int64_t low, int64_t high)
{
    if (is_remainder(grower, feature))
        return low;
    long double middle = low > 0 ? sqrtl((long double)low * (long double)high)
                                 : (long double)low + ((long double)high - (long double)low) / 2;
    if (!(middle < (long double)high))
        return high - 1;
    int64_t most = (int64_t)floorl(middle);
    return most < low ? low : most;
}

static size_t origin_of(const struct grower *grower, size_t size)
{
    return grower->origins ? grower->origins[size] : size;
}

/* Puts all sizes above the threshold. Returns the number of their origins. */
static size_t count_origins(const struct grower *grower, const size_t *sizes, size_t count)
{
    size_t origins = 0;
    for (size_t i = 0; i < count; i++)
        grower->below[origin_of(grower, sizes[i])] = grower->above[origin_of(grower, sizes[i])] = 0;
    for (size_t i = 0; i < count; i++)
        origins += grower->above[origin_of(grower, sizes[i])]++ == 0;
    return origins;
}

static int64_t value_of(const struct fit_features *features, size_t feature, size_t size)
{
    return features->values[feature * features->size_count + size];
}

/* Places the sizes in the order of a feature. Sorting is faster for few sizes than finding them among all. */
static void place_sizes(const struct grower *grower, const size_t *sizes, size_t count, size_t feature)
{
    size_t all = grower->losses->size_count, placed = 0;
    const uint32_t *order = grower->features->orders + feature * all;
    for (size_t i = 0; i < all && count > all / SORTED && placed < count; i++)
        if (grower->inside[order[i]])
            grower->places[placed++] = (struct place){value_of(grower->features, feature, order[i]), order[i]};
    if (placed)
        return;
    for (size_t i = 0; i < count; i++)
        grower->places[i] = (struct place){value_of(grower->features, feature, sizes[i]), sizes[i]};
    qsort(grower->places, count, sizeof *grower->places, compare_places);
}

/* Tries all thresholds of a feature. The loss of a split is that of each kind's best configuration on either side. */
static void try_feature(const struct grower *grower, const size_t *sizes, size_t count, const double *totals,
                        size_t feature, struct split *best)
{
    size_t chosen = grower->tree->chosen_count, above = count_origins(grower, sizes, count), below = 0;
    double loss = 0;
    double needed = is_remainder(grower, feature) ? (remainder_share - 1) * (best->whole - best->loss) : 0;
    place_sizes(grower, sizes, count, feature);
    memset(grower->low, 0, grower->kind_count * chosen * sizeof *grower->low);
    for (size_t kind = 0; kind < grower->kind_count; kind++) {
        grower->low_least[kind] = 0;
        loss += grower->high_least[kind] = least(grower, kind, totals, NULL);
    }
    for (size_t i = 0; i + 1 < count; i++) {
        size_t size = grower->places[i].size, kind = grower->kind[size];
        for (size_t c = 0; c < chosen; c++)
            grower->low[kind * chosen + c] += grower->costs[size * chosen + c];
        loss -= grower->low_least[kind] + grower->high_least[kind];
        grower->low_least[kind] = least(grower, kind, grower->low, NULL);
        grower->high_least[kind] = least(grower, kind, totals, grower->low);
        loss += grower->low_least[kind] + grower->high_least[kind];
        below += grower->below[origin_of(grower, size)]++ == 0;
        above -= --grower->above[origin_of(grower, size)] == 0;
        if (below < LEAF_ORIGINS || above < LEAF_ORIGINS || grower->places[i].value == grower->places[i + 1].value)
            continue;
        if (loss < best->loss - needed - 1e-9)
            *best = (struct split){best->whole, loss, feature,
                                   between(grower, feature, grower->places[i].value, grower->places[i + 1].value)};
    }
}

/* Returns the loss of a size that none of the first `placed` serves, if `next` follows them; where `next` is invalid,
 * the best of the others counts. */
static double loss_after(const struct grower *grower, const struct node *node, size_t placed, size_t next, size_t size)
{
    size_t chosen = grower->tree->chosen_count;
    const double *costs = grower->costs + size * chosen;
    const bool *valid = grower->valid + grower->kind[size] * chosen;
    double found = INFINITY;
    if (valid[next])
        return costs[next];
    for (size_t i = placed; i < chosen; i++)
        if (valid[node->order[i]])
            found = fmin(found, costs[node->order[i]]);
    return isfinite(found) ? found : 0;
}

/* Orders the configurations one after the other, each for the sizes without a valid one before it. Configurations that
 * no size decides keep the order of the parent, `before`. */
static void make_leaf(const struct grower *grower, struct node *node, const size_t *sizes, size_t count,
                      const uint8_t *before)
{
    size_t chosen = grower->tree->chosen_count;
    memcpy(node->order, before, chosen);
    memset(grower->served, 0, count * sizeof *grower->served);
    node->loss = 0;
    for (size_t placed = 0; placed < chosen; placed++) {
        size_t best = placed;
        double least_sum = INFINITY;
        for (size_t i = placed; i < chosen; i++) {
            double sum = 0;
            for (size_t s = 0; s < count; s++)
                if (!grower->served[s])
                    sum += loss_after(grower, node, placed, node->order[i], sizes[s]);
            if (sum < least_sum - 1e-9) {
                least_sum = sum;
                best = i;
            }
        }
        uint8_t next = node->order[best];
        memmove(&node->order[placed + 1], &node->order[placed], best - placed);
        node->order[placed] = next;
        for (size_t s = 0; s < count; s++)
            if (!grower->served[s] && grower->valid[grower->kind[sizes[s]] * chosen + next]) {
                grower->served[s] = true;
                node->loss += grower->costs[sizes[s] * chosen + next];
            }
    }
}

static size_t divide(const struct grower *grower, size_t *sizes, size_t count, const struct split *split)
{
    size_t low = 0;
    for (size_t i = 0; i < count; i++)
        if (value_of(grower->features, split->feature, sizes[i]) <= split->most) {
            size_t size = sizes[i];
            sizes[i] = sizes[low];
            sizes[low++] = size;
        }
    return low;
}

/* Finds the best split of a node. `whole`: loss without a split. */
static void find_split(const struct grower *grower, const size_t *sizes, size_t count, double whole, double *totals,
                       struct split *split)
{
    *split = (struct split){.loss = whole, .whole = whole};
    sum_costs(grower, sizes, count, totals);
    for (size_t i = 0; i < count; i++)
        grower->inside[sizes[i]] = true;
    for (size_t f = 0; f < grower->features->count; f++)
        try_feature(grower, sizes, count, totals, f, split);
    for (size_t i = 0; i < count; i++)
        grower->inside[sizes[i]] = false;
}

/* Grows a subtree; returns its root. `totals`: room for chosen_count sums of each kind. */
static size_t grow(struct grower *grower, size_t *sizes, size_t count, size_t depth, const uint8_t *before,
                   double *totals)
{
    struct fit_tree *tree = grower->tree;
    size_t number = tree->count++;
    struct node *node = &tree->nodes[number];
    struct split split;
    make_leaf(grower, node, sizes, count, before);
    if (depth == SIZE_FIT_DEPTH_MAX || count < 2 * LEAF_ORIGINS)
        return number;
    find_split(grower, sizes, count, node->loss, totals, &split);
    if (!(split.loss < node->loss))
        return number;
    size_t low = divide(grower, sizes, count, &split);
    node->feature = split.feature;
    node->most = split.most;
    node->low = grow(grower, sizes, low, depth + 1, node->order, totals);
    node->high = grow(grower, sizes + low, count - low, depth + 1, node->order, totals);
    return number;
}

/* ---- Pruning ---- */

/* Returns the loss of a pruned subtree, and counts its leaves (minimal cost-complexity pruning: Breiman, Friedman,
 * Olshen and Stone, "Classification and Regression Trees", 1984). */
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

/* ---- Improving ---- */

/* Returns the loss of a size in a subtree. */
static double lost(const struct grower *grower, size_t number, size_t size)
{
    const struct fit_tree *tree = grower->tree;
    while (tree->nodes[number].low) {
        const struct node *node = &tree->nodes[number];
        number = value_of(grower->features, node->feature, size) <= node->most ? node->low : node->high;
    }
    for (size_t i = 0; i < tree->chosen_count; i++) {
        size_t next = tree->nodes[number].order[i];
        if (grower->valid[grower->kind[size] * tree->chosen_count + next])
            return grower->costs[size * tree->chosen_count + next];
    }
    return 0;
}

/* Tries all thresholds of a feature between two subtrees. grower->gains: by size, additional loss in the lower one;
 * `high`: summed loss in the higher one. */
static void try_subtrees(const struct grower *grower, const size_t *sizes, size_t count, double high, size_t feature,
                         struct split *best)
{
    size_t above = count_origins(grower, sizes, count), below = 0;
    double loss = high;
    place_sizes(grower, sizes, count, feature);
    for (size_t i = 0; i + 1 < count; i++) {
        const struct place *place = &grower->places[i];
        loss += grower->gains[place->size];
        below += grower->below[origin_of(grower, place->size)]++ == 0;
        above -= --grower->above[origin_of(grower, place->size)] == 0;
        if (below >= LEAF_ORIGINS && above >= LEAF_ORIGINS && place[0].value != place[1].value &&
            loss < best->loss - 1e-9)
            *best = (struct split){
                .loss = loss, .feature = feature, .most = between(grower, feature, place[0].value, place[1].value)};
    }
}

/* Improves a subtree for its sizes, from its root on: a node gets the decision that sends each size to the better of
 * its two current subtrees, and a leaf its order. (Tree alternating optimization: M. Carreira-Perpinan and P.
 * Tavallali, "Alternating optimization of decision trees", 2018.) New decisions are not remainders. */
static void improve(struct grower *grower, size_t number, size_t *sizes, size_t count, const uint8_t *before)
{
    struct node *node = &grower->tree->nodes[number];
    make_leaf(grower, node, sizes, count, before);
    if (!node->low)
        return;
    struct split best = {.feature = node->feature, .most = node->most};
    double high = 0;
    for (size_t i = 0; i < count; i++) {
        double in_low = lost(grower, node->low, sizes[i]), in_high = lost(grower, node->high, sizes[i]);
        grower->gains[sizes[i]] = in_low - in_high;
        high += in_high;
        best.loss += value_of(grower->features, node->feature, sizes[i]) <= node->most ? in_low : in_high;
        grower->inside[sizes[i]] = true;
    }
    for (size_t f = 0; f < grower->features->count; f++)
        if (!is_remainder(grower, f))
            try_subtrees(grower, sizes, count, high, f, &best);
    for (size_t i = 0; i < count; i++)
        grower->inside[sizes[i]] = false;
    node->feature = best.feature;
    node->most = best.most;
    size_t low = divide(grower, sizes, count, &best);
    improve(grower, node->low, sizes, low, node->order);
    improve(grower, node->high, sizes + low, count - low, node->order);
}

/* Finds the loss of each chosen configuration at each size, and the kinds of the sizes. */
static void find_kinds(struct grower *grower, const size_t *sizes, size_t count, const struct fit_cover *cover,
                       double *costs, size_t *kind, bool *valid)
{
    size_t chosen = cover->count;
    for (size_t i = 0; i < count; i++) {
        const double *of = grower->losses->of + sizes[i] * grower->losses->configuration_count;
        double weight = grower->losses->weights ? grower->losses->weights[sizes[i]] : 1;
        bool *row = valid + grower->kind_count * chosen;
        for (size_t c = 0; c < chosen; c++) {
            double loss = of[cover->chosen[c]];
            row[c] = !(isinf(loss) && loss < 0);
            costs[sizes[i] * chosen + c] = !row[c] ? 0 : weight * (isfinite(loss) ? fmin(loss, LOSS_MAX) : LOSS_MAX);
        }
        size_t same = 0;
        while (memcmp(valid + same * chosen, row, chosen * sizeof *row) != 0)
            same++;
        kind[sizes[i]] = same;
        grower->kind_count += same == grower->kind_count;
    }
    grower->costs = costs;
    grower->kind = kind;
    grower->valid = valid;
}

/* Removes the children of pruned subtrees. */
static void cut_off(struct fit_tree *tree, double price)
{
    bool cut[SIZE_FIT_NODES_MAX];
    fit_tree_prune(tree, price, cut);
    for (size_t n = 0; n < tree->count; n++)
        if (cut[n])
            tree->nodes[n].low = tree->nodes[n].high = 0;
}

int fit_tree_grow(struct arena *arena, const struct fit_ground *ground, const size_t *sizes, size_t count,
                  const struct fit_cover *cover, struct fit_tree **tree, struct error *error)
{
    const struct fit_losses *losses = ground->losses;
    size_t chosen = cover->count;
    uint8_t order[SIZE_FIT_CONFIGURATIONS_MAX];
    struct grower grower = {.losses = losses, .features = ground->features, .origins = ground->origins};
    double *costs = arena_array(arena, losses->size_count * chosen, sizeof *costs);
    size_t *kind = arena_array(arena, losses->size_count, sizeof *kind);
    bool *valid = arena_array(arena, (count + 1) * chosen, sizeof *valid);
    double *totals = arena_array(arena, (count + 1) * chosen, sizeof *totals);
    grower.tree = *tree = arena_alloc(arena, sizeof **tree);
    grower.sizes = arena_array(arena, count, sizeof *grower.sizes);
    grower.served = arena_array(arena, count, sizeof *grower.served);
    grower.low = arena_array(arena, count * chosen, sizeof *grower.low);
    grower.low_least = arena_array(arena, count, sizeof *grower.low_least);
    grower.high_least = arena_array(arena, count, sizeof *grower.high_least);
    grower.inside = arena_array(arena, losses->size_count, sizeof *grower.inside);
    grower.gains = arena_array(arena, losses->size_count, sizeof *grower.gains);
    grower.places = arena_array(arena, count, sizeof *grower.places);
    grower.below = arena_array(arena, losses->size_count, sizeof *grower.below);
    grower.above = arena_array(arena, losses->size_count, sizeof *grower.above);
    if (!costs || !kind || !valid || !totals || !grower.tree || !grower.sizes || !grower.served || !grower.low ||
        !grower.low_least || !grower.high_least || !grower.inside || !grower.gains || !grower.places || !grower.below ||
        !grower.above)
        return error_memory(error);
    grower.tree->chosen_count = chosen;
    grower.tree->features = ground->features;
    memcpy(grower.sizes, sizes, count * sizeof *sizes);
    find_kinds(&grower, sizes, count, cover, costs, kind, valid);
    for (size_t c = 0; c < chosen; c++)
        order[c] = (uint8_t)c;
    grow(&grower, grower.sizes, count, 0, order, totals);
    cut_off(grower.tree, ground->price);
    improve(&grower, 0, grower.sizes, count, order);
    return 0;
}

/* ---- The pruned tree ---- */

void fit_tree_prune(const struct fit_tree *tree, double price, bool *cut)
{
    size_t leaves;
    pruned_loss(tree, 0, price, &leaves, cut);
}

const uint8_t *fit_tree_order(const struct fit_tree *tree, const bool *cut, size_t size)
{
    size_t at = 0;
    while (!cut[at]) {
        const struct node *node = &tree->nodes[at];
        at = value_of(tree->features, node->feature, size) <= node->most ? node->low : node->high;
    }
    return tree->nodes[at].order;
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

void fit_tree_write(const struct fit_tree *tree, const bool *cut, struct size_fit *fit)
{
    fit->node_count = 0;
    write(tree, 0, cut, fit);
}
