#include "analyse/fit_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* FORMULAS_MOST: between the root and a leaf, since a formula takes ten times as long as a feature. */
enum { LEAF_ORIGINS = 2, LOSS_MAX = 10, SORTED = 32, FORMULAS_MOST = 5 };
static const double remainder_usual = 3;

struct node {
    struct size_fit_node by; /* what it decides by; not set in a leaf */
    size_t low, high;        /* children; 0: a leaf */
    double loss;             /* as a leaf */
    uint8_t order[SIZE_FIT_CONFIGURATIONS_MAX];
};

struct fit_tree {
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

/* Sorts the sizes by each feature once: a tree needs them in this order again and again. */
static void order_sizes(const int64_t *values, size_t size_count, struct place *places, uint32_t *order)
{
    for (size_t s = 0; s < size_count; s++)
        places[s] = (struct place){values[s], s};
    qsort(places, size_count, sizeof *places, compare_places);
    for (size_t s = 0; s < size_count; s++)
        order[s] = (uint32_t)places[s].size;
}

int fit_features_make(struct arena *arena, const int64_t *sizes, size_t size_count, size_t name_count, int sm_count,
                      int64_t l2_bytes, struct fit_features *features, struct error *error)
{
    size_t count = list_features(name_count, NULL);
    struct size_fit_node *nodes = arena_array(arena, count, sizeof *nodes);
    int64_t *values = arena_array(arena, count * size_count, sizeof *values);
    uint32_t *orders = arena_array(arena, count * size_count, sizeof *orders);
    struct place *places = arena_array(arena, size_count, sizeof *places);
    if (!nodes || !values || !orders || !places)
        return error_memory(error);
    list_features(name_count, nodes);
    for (size_t f = 0; f < count; f++) {
        for (size_t s = 0; s < size_count; s++)
            values[f * size_count + s] =
                size_fit_feature(&nodes[f], sizes + s * name_count, name_count, sm_count, l2_bytes);
        order_sizes(values + f * size_count, size_count, places, orders + f * size_count);
    }
    *features = (struct fit_features){count, nodes, values, orders};
    return 0;
}

/* ---- Growing ---- */

/* Sizes at which the same configurations are valid form a kind. A leaf's order serves a kind by the first
 * configuration that is valid in it, so that one order may serve each kind by another. */
struct grower {
    struct fit_tree *tree;
    const struct fit_losses *losses;
    const struct fit_features *features;
    const struct fit_formulas *formulas; /* NULL: none */
    const size_t *origins;               /* NULL: each size is its own */
    size_t leaf_origins;
    double remainder;
    size_t *below, *above; /* by origin: how many of its sizes are on either side of a threshold */
    const double *costs;   /* chosen_count per size: what the configuration loses there; 0: not valid */
    const size_t *kind;    /* by size */
    const bool *valid;     /* chosen_count per kind */
    size_t kind_count;
    size_t *sizes;     /* reordered: a node has a range of them */
    bool *served;      /* by place in the range of a node */
    double *low;       /* chosen_count per kind */
    double *low_least; /* by kind, and the same of what is above a threshold */
    double *high_least;
    bool *inside;         /* by size: in the node that is being divided */
    struct place *places; /* its sizes by an answer */
    int code;
};

static void sum_costs(const struct grower *grower, const size_t *sizes, size_t count, double *sums)
{
    size_t chosen = grower->tree->chosen_count;
    memset(sums, 0, grower->kind_count * chosen * sizeof *sums);
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < chosen; c++)
            sums[grower->kind[sizes[i]] * chosen + c] += grower->costs[sizes[i] * chosen + c];
}

/* The least of a kind's sums, less those of `without` (NULL: none). 0: nothing is valid. */
static double least(const struct grower *grower, size_t kind, const double *sums, const double *without)
{
    size_t chosen = grower->tree->chosen_count;
    double found = INFINITY;
    for (size_t c = kind * chosen; c < (kind + 1) * chosen; c++) {
        double sum = sums[c] - (without ? without[c] : 0);
        if (grower->valid[c] && sum < found) /* fmin is a call */
            found = sum;
    }
    return isfinite(found) ? found : 0;
}

/* What a node may decide by. */
struct question {
    const struct size_fit_node *feature; /* NULL: the formula */
    size_t number;                       /* of the feature */
    struct fit_formula formula;
};

struct split {
    double whole, loss; /* without a split, and with it */
    struct question question;
    int64_t most;
};

static bool is_remainder(const struct question *question)
{
    return question->feature && question->feature->feature == SIZE_FEATURE_remainder;
}

/* A threshold between two values: the geometric mean, as sizes are spread. A remainder has no middle. */
static int64_t between(const struct question *question, int64_t low, int64_t high)
{
    if (is_remainder(question))
        return low;
    long double middle = low > 0 && question->feature ? sqrtl((long double)low * (long double)high)
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

/* Puts all sizes above the threshold. Returns how many origins they have. */
static size_t count_origins(const struct grower *grower, const size_t *sizes, size_t count)
{
    size_t origins = 0;
    for (size_t i = 0; i < count; i++)
        grower->below[origin_of(grower, sizes[i])] = grower->above[origin_of(grower, sizes[i])] = 0;
    for (size_t i = 0; i < count; i++)
        origins += grower->above[origin_of(grower, sizes[i])]++ == 0;
    return origins;
}

static int64_t answer(const struct grower *grower, const struct question *question, size_t size)
{
    return question->feature ? grower->features->values[question->number * grower->losses->size_count + size]
                             : fit_formula_value(&question->formula, size);
}

/* Few sizes are sorted sooner than they are found among all, which are sorted by features only. */
static void place_sizes(const struct grower *grower, const size_t *sizes, size_t count, const struct question *question)
{
    size_t all = grower->losses->size_count, placed = 0;
    const uint32_t *order = question->feature ? grower->features->orders + question->number * all : NULL;
    for (size_t i = 0; i < all && order && count > all / SORTED && placed < count; i++)
        if (grower->inside[order[i]])
            grower->places[placed++] = (struct place){answer(grower, question, order[i]), order[i]};
    if (placed)
        return;
    for (size_t i = 0; i < count; i++)
        grower->places[i] = (struct place){answer(grower, question, sizes[i]), sizes[i]};
    qsort(grower->places, count, sizeof *grower->places, compare_places);
}

/* The loss of a split is what is lost if each kind takes its best configuration on either side. */
static void try_question(const struct grower *grower, const size_t *sizes, size_t count, const double *totals,
                         const struct question *question, struct split *best)
{
    size_t chosen = grower->tree->chosen_count, above = count_origins(grower, sizes, count), below = 0;
    double loss = 0;
    double needed = is_remainder(question) ? (grower->remainder - 1) * (best->whole - best->loss) : 0;
    place_sizes(grower, sizes, count, question);
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
        if (below < grower->leaf_origins || above < grower->leaf_origins ||
            grower->places[i].value == grower->places[i + 1].value)
            continue;
        if (loss < best->loss - needed - 1e-9)
            *best = (struct split){best->whole, loss, *question,
                                   between(question, grower->places[i].value, grower->places[i + 1].value)};
    }
}

/* Of the formulas, those that the sizes of the node teach. */
static void try_formulas(const struct grower *grower, const size_t *sizes, size_t count, const double *totals,
                         struct split *best)
{
    size_t configurations = fit_formulas_configurations(grower->formulas);
    struct question question = {.feature = NULL};
    for (size_t a = 0; a < configurations; a++)
        for (size_t b = a + 1; b < configurations; b++)
            if (fit_formula_learn(grower->formulas, a, b, sizes, count, &question.formula))
                try_question(grower, sizes, count, totals, &question, best);
}

/* What a size that none of the first `placed` serves loses if `next` follows them, and it takes the best of the others
 * where that one is not valid. */
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

/* Orders the configurations one after the other, each for the sizes at which none before it is valid. Those that no
 * size decides keep the order of the node above, `before`. */
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
        if (answer(grower, &split->question, sizes[i]) <= split->most) {
            size_t size = sizes[i];
            sizes[i] = sizes[low];
            sizes[low++] = size;
        }
    return low;
}

/* Finds the best split of a node. `whole`: what is lost without one. */
static void find_split(const struct grower *grower, const size_t *sizes, size_t count, bool with_formulas, double whole,
                       double *totals, struct split *split)
{
    const struct fit_features *features = grower->features;
    *split = (struct split){.loss = whole, .whole = whole};
    sum_costs(grower, sizes, count, totals);
    for (size_t i = 0; i < count; i++)
        grower->inside[sizes[i]] = true;
    for (size_t f = 0; f < features->count; f++)
        try_question(grower, sizes, count, totals, &(struct question){.feature = &features->nodes[f], .number = f},
                     split);
    if (with_formulas)
        try_formulas(grower, sizes, count, totals, split);
    for (size_t i = 0; i < count; i++)
        grower->inside[sizes[i]] = false;
}

/* Sets what a node decides by: the best split's question, without formulas if readers cannot take the best one. False:
 * no split lowers the loss. */
static bool ask(struct grower *grower, struct node *node, const size_t *sizes, size_t count, bool with_formulas,
                double *totals, struct split *split)
{
    find_split(grower, sizes, count, with_formulas, node->loss, totals, split);
    bool formula = split->loss < node->loss && !split->question.feature;
    if (formula)
        grower->code = fit_formula_write(grower->formulas, &split->question.formula, &node->by);
    if (formula && !node->by.values[SIZE_FIT_ANYWHERE])
        find_split(grower, sizes, count, false, node->loss, totals, split);
    if (split->question.feature)
        node->by = *split->question.feature;
    return split->loss < node->loss && !grower->code;
}

/* `totals`: room for chosen_count sums of each kind. Memory that is out is in grower->code. */
static size_t grow(struct grower *grower, size_t *sizes, size_t count, size_t depth, size_t formulas,
                   const uint8_t *before, double *totals)
{
    struct fit_tree *tree = grower->tree;
    size_t number = tree->count++;
    struct node *node = &tree->nodes[number];
    make_leaf(grower, node, sizes, count, before);
    struct split split;
    if (depth == SIZE_FIT_DEPTH_MAX || count < 2 * grower->leaf_origins ||
        !ask(grower, node, sizes, count, grower->formulas && formulas < FORMULAS_MOST, totals, &split))
        return number;
    size_t low = divide(grower, sizes, count, &split);
    node->by.most = split.most;
    formulas += !split.question.feature;
    node->low = grow(grower, sizes, low, depth + 1, formulas, node->order, totals);
    node->high = grow(grower, sizes + low, count - low, depth + 1, formulas, node->order, totals);
    return number;
}

/* Finds what each of the chosen ones loses at each size, and the kinds of the sizes. */
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

int fit_tree_grow(struct arena *arena, const struct fit_ground *ground, const size_t *sizes, size_t count,
                  const struct fit_cover *cover, struct fit_tree **tree, struct error *error)
{
    const struct fit_losses *losses = ground->losses;
    size_t chosen = cover->count;
    uint8_t order[SIZE_FIT_CONFIGURATIONS_MAX];
    struct grower grower = {.losses = losses,
                            .features = ground->features,
                            .formulas = ground->formulas,
                            .origins = ground->origins,
                            .leaf_origins = ground->leaf_origins ? ground->leaf_origins : LEAF_ORIGINS,
                            .remainder = ground->remainder > 0 ? ground->remainder : remainder_usual};
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
    grower.places = arena_array(arena, count, sizeof *grower.places);
    grower.below = arena_array(arena, losses->size_count, sizeof *grower.below);
    grower.above = arena_array(arena, losses->size_count, sizeof *grower.above);
    if (!costs || !kind || !valid || !totals || !grower.tree || !grower.sizes || !grower.served || !grower.low ||
        !grower.low_least || !grower.high_least || !grower.inside || !grower.places || !grower.below || !grower.above)
        return error_memory(error);
    grower.tree->chosen_count = chosen;
    memcpy(grower.sizes, sizes, count * sizeof *sizes);
    find_kinds(&grower, sizes, count, cover, costs, kind, valid);
    for (size_t c = 0; c < chosen; c++)
        order[c] = (uint8_t)c;
    grow(&grower, grower.sizes, count, 0, 0, order, totals);
    return grower.code;
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
    *to = from->by;
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
