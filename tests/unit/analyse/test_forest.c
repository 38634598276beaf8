#include "analyse/forest.h"

#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

enum { ROWS = 256, COLUMNS = 3 };

static uint8_t levels[ROWS * COLUMNS];
static double values[ROWS];
static const struct forest_data data = {.rows = ROWS, .columns = COLUMNS, .levels = levels, .values = values};

/* The first two columns determine the value, by a step and a slope; the third has no influence. */
static void fill(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        levels[i * COLUMNS] = (uint8_t)(i % 8);
        levels[i * COLUMNS + 1] = (uint8_t)(i / 8 % 8);
        levels[i * COLUMNS + 2] = (uint8_t)(i / 64);
        values[i] = (levels[i * COLUMNS] > 3 ? 100 : 0) + levels[i * COLUMNS + 1];
    }
}

static double worst_error(const struct tree *tree)
{
    double worst = 0;
    for (size_t i = 0; i < ROWS; i++)
        worst = fmax(worst, fabs(tree_predict(tree, levels + i * COLUMNS) - values[i]));
    return worst;
}

/* A tree grown on all rows finds the influences; the next one reuses its memory; one row is a leaf. */
static void trees(void)
{
    struct tree tree = {0};
    struct random random;
    struct error error = {0};
    size_t sample[ROWS];
    random_seed(&random, 1);
    fill();
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < ROWS; i++)
            sample[i] = i;
        CU_ASSERT_EQUAL_FATAL(tree_grow(&tree, &data, sample, ROWS, &random, &error), 0);
        CU_ASSERT(tree.count > 2);
        CU_ASSERT(worst_error(&tree) < 8); /* the step is found with any half of the columns */
        sample[0] = 77;
        CU_ASSERT_EQUAL(tree_grow(&tree, &data, sample, 1, &random, &error), 0);
        CU_ASSERT_EQUAL(tree_predict(&tree, levels), values[77]);
        CU_ASSERT_EQUAL(tree_predict(&tree, levels + 200 * COLUMNS), values[77]);
    }
    tree_free(&tree);
}

/* The same draws give the same tree; equal values need no split. */
static void repeats(void)
{
    struct tree trees[2] = {{0}, {0}};
    struct error error = {0};
    size_t sample[ROWS];
    fill();
    for (int t = 0; t < 2; t++) {
        struct random random;
        random_seed(&random, 9);
        for (size_t i = 0; i < ROWS; i++)
            sample[i] = i * 7 % ROWS;
        CU_ASSERT_EQUAL_FATAL(tree_grow(&trees[t], &data, sample, ROWS, &random, &error), 0);
    }
    CU_ASSERT_EQUAL_FATAL(trees[0].count, trees[1].count);
    for (size_t i = 0; i < ROWS; i++)
        CU_ASSERT_EQUAL(tree_predict(&trees[0], levels + i * COLUMNS), tree_predict(&trees[1], levels + i * COLUMNS));
    for (size_t i = 0; i < ROWS; i++) {
        values[i] = 3;
        sample[i] = i;
    }
    struct random random;
    random_seed(&random, 2);
    CU_ASSERT_EQUAL(tree_grow(&trees[0], &data, sample, ROWS, &random, &error), 0);
    for (size_t i = 0; i < ROWS; i++)
        CU_ASSERT_EQUAL(tree_predict(&trees[0], levels + i * COLUMNS), 3);
    tree_free(&trees[0]);
    tree_free(&trees[1]);
}

CU_TestInfo tests_forest[] = {{"trees", trees}, {"repeats", repeats}, CU_TEST_INFO_NULL};
