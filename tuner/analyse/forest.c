#include "analyse/forest.h"

#include <stdbool.h>
#include <stdlib.h>

enum { LEAF_ROWS = 3, COLUMNS_MAX = 256 };

struct split {
    double gain;
    uint32_t column, level;
};

/* Finds the threshold of one column with the least squared error, by a histogram over the levels. */
static void try_column(const struct forest_data *data, const size_t *rows, size_t count, double total, uint32_t column,
                       struct split *best)
{
    double sums[FOREST_LEVELS] = {0}, left_sum = 0;
    size_t counts[FOREST_LEVELS] = {0}, left = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t level = data->levels[rows[i] * data->columns + column];
        sums[level] += data->values[rows[i]];
        counts[level]++;
    }
    for (uint32_t level = 0; level + 1 < FOREST_LEVELS; level++) {
        left += counts[level];
        left_sum += sums[level];
        size_t right = count - left;
        if (!counts[level] || left < LEAF_ROWS || right < LEAF_ROWS)
            continue;
        double right_sum = total - left_sum;
        double gain =
            left_sum * left_sum / (double)left + right_sum * right_sum / (double)right - total * total / (double)count;
        if (gain > best->gain)
            *best = (struct split){gain, column, level};
    }
}

static struct split find_split(const struct forest_data *data, const size_t *rows, size_t count, double total,
                               struct random *random)
{
    uint32_t columns[COLUMNS_MAX], tried = 0, half = (uint32_t)(data->columns + 1) / 2;
    struct split best = {.gain = 1e-12};
    for (uint32_t c = 0; c < data->columns; c++)
        columns[c] = c;
    /* Tries half of the columns; more if none of them splits. */
    for (; tried < data->columns && (tried < half || best.gain <= 1e-12); tried++) {
        size_t pick = tried + random_below(random, data->columns - tried);
        uint32_t column = columns[pick];
        columns[pick] = columns[tried];
        try_column(data, rows, count, total, column, &best);
    }
    return best;
}

static size_t divide(const struct forest_data *data, size_t *rows, size_t count, const struct split *split)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (data->levels[rows[i] * data->columns + split->column] <= split->level) {
            size_t row = rows[i];
            rows[i] = rows[left];
            rows[left++] = row;
        }
    return left;
}

static bool add_node(struct tree *tree)
{
    if (tree->count == tree->room) {
        struct tree_node *nodes = realloc(tree->nodes, (tree->room * 2 + 64) * sizeof *nodes);
        if (!nodes)
            return false;
        tree->nodes = nodes;
        tree->room = tree->room * 2 + 64;
    }
    tree->nodes[tree->count++] = (struct tree_node){0};
    return true;
}

int tree_grow(struct tree *tree, const struct forest_data *data, size_t *sample, size_t count, struct random *random,
              struct error *error)
{
    /* Pending work: a node and its part of the sample. A tree of n leaves never has more than n pending parts. */
    struct part {
        uint32_t node;
        size_t begin, count;
    } *parts = calloc(count / LEAF_ROWS + 2, sizeof *parts);
    size_t open = 0;
    int code = 0;
    tree->count = 0;
    if (data->columns > COLUMNS_MAX)
        code = error_set(error, ERROR_VALUE, "%zu parameters are too many for a forest", data->columns);
    else if (!parts || !add_node(tree))
        code = error_memory(error);
    else
        parts[open++] = (struct part){0, 0, count};
    while (open && !code) {
        struct part part = parts[--open];
        double total = 0;
        for (size_t i = 0; i < part.count; i++)
            total += data->values[sample[part.begin + i]];
        tree->nodes[part.node].mean = part.count ? total / (double)part.count : 0;
        if (part.count < 2 * LEAF_ROWS)
            continue;
        struct split split = find_split(data, sample + part.begin, part.count, total, random);
        if (split.gain <= 1e-12)
            continue;
        size_t left = divide(data, sample + part.begin, part.count, &split);
        uint32_t child = (uint32_t)tree->count;
        if (!add_node(tree) || !add_node(tree)) {
            code = error_memory(error);
            break;
        }
        tree->nodes[part.node].column = split.column;
        tree->nodes[part.node].level = split.level;
        tree->nodes[part.node].left = child;
        tree->nodes[part.node].right = child + 1;
        parts[open++] = (struct part){child, part.begin, left};
        parts[open++] = (struct part){child + 1, part.begin + left, part.count - left};
    }
    free(parts);
    return code;
}

double tree_predict(const struct tree *tree, const uint8_t *levels)
{
    const struct tree_node *node = tree->nodes;
    while (node->left)
        node = &tree->nodes[levels[node->column] <= node->level ? node->left : node->right];
    return node->mean;
}

void tree_free(struct tree *tree)
{
    free(tree->nodes);
    *tree = (struct tree){0};
}
