/* Trees over sizes: what they decide by, and how far they are pruned. */
#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "analyse/fit_tree.h"

enum { SIZES = 16 };

/* Which of two configurations is the best at a size. */
typedef bool rule(int64_t rows, int64_t cols);

static bool is_large(int64_t rows, int64_t cols)
{
    return rows * cols > 10000;
}
static bool is_odd(int64_t rows, int64_t cols)
{
    (void)rows;
    return cols % 2;
}
static bool is_wide(int64_t rows, int64_t cols)
{
    return cols > 2 * rows;
}
static bool never(int64_t rows, int64_t cols)
{
    (void)rows, (void)cols;
    return false;
}

static const int64_t sizes[SIZES][2] = {{16, 64},   {17, 301}, {100, 35},  {64, 64},    {512, 12},   {33, 999},
                                        {128, 128}, {250, 91}, {64, 2048}, {1000, 101}, {2048, 512}, {777, 777},
                                        {30, 4000}, {3000, 5}, {900, 31},  {5000, 5002}};

static void grow(rule *is_second, double loss, double price, struct size_fit *fit)
{
    struct arena arena = {0};
    struct fit_features features;
    struct fit_tree *tree;
    double of[SIZES][2];
    size_t all[SIZES], chosen[2] = {0, 1};
    const struct fit_losses losses = {SIZES, 2, of[0]};
    const struct fit_cover cover = {.count = 2, .chosen = chosen};
    for (size_t s = 0; s < SIZES; s++) {
        bool second = is_second(sizes[s][0], sizes[s][1]);
        all[s] = s;
        of[s][0] = second ? loss : 0;
        of[s][1] = second ? 0 : loss;
    }
    CU_ASSERT_EQUAL_FATAL(fit_features_make(&arena, sizes[0], SIZES, 2, 132, 50 << 20, &features, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(fit_tree_grow(&arena, &losses, &features, all, SIZES, &cover, &tree, NULL), 0);
    *fit = (struct size_fit){.size_count = 2, .configuration_count = 2};
    fit_tree_prune(tree, price, fit);
    arena_free(&arena);
}

static void test_decisions(void)
{
    static const struct {
        rule *is_second;
        double price;
        size_t nodes;
        enum size_feature feature;
    } cases[] = {
        {is_large, 0.01, 3, SIZE_FEATURE_volume},
        {is_odd, 0.01, 3, SIZE_FEATURE_remainder},
        {is_wide, 0.01, 3, SIZE_FEATURE_ratio},
        {never, 0, 1, 0},
        {is_large, 100, 1, 0}, /* no leaf saves that much */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct size_fit fit;
        grow(cases[i].is_second, 0.5, cases[i].price, &fit);
        CU_ASSERT_EQUAL_FATAL(fit.node_count, cases[i].nodes);
        if (fit.node_count == 1) {
            CU_ASSERT(fit.nodes[0].leaf);
            continue;
        }
        CU_ASSERT_EQUAL(fit.nodes[0].feature, cases[i].feature);
        for (size_t s = 0; s < SIZES; s++)
            CU_ASSERT_EQUAL(size_fit_choose(&fit, sizes[s], 132, 50 << 20, NULL),
                            cases[i].is_second(sizes[s][0], sizes[s][1]));
    }
}

/* Losses count, not cases: three sizes that lose nearly nothing are outvoted by one that loses much. */
static void test_losses_count(void)
{
    const int64_t same[4][1] = {{5}, {5}, {5}, {5}};
    const double of[4][2] = {{0, .01}, {0, .01}, {0, .01}, {2, 0}};
    struct arena arena = {0};
    struct fit_features features;
    struct fit_tree *tree;
    size_t all[] = {0, 1, 2, 3}, chosen[] = {0, 1};
    const struct fit_losses losses = {4, 2, of[0]};
    const struct fit_cover cover = {.count = 2, .chosen = chosen};
    struct size_fit fit = {.size_count = 1, .configuration_count = 2};
    CU_ASSERT_EQUAL_FATAL(fit_features_make(&arena, same[0], 4, 1, 132, 0, &features, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(fit_tree_grow(&arena, &losses, &features, all, 4, &cover, &tree, NULL), 0);
    fit_tree_prune(tree, 0, &fit);
    CU_ASSERT_EQUAL(fit.node_count, 1);
    CU_ASSERT_EQUAL(fit.nodes[0].order[0], 1);
    CU_ASSERT_EQUAL(fit.nodes[0].order[1], 0);
    arena_free(&arena);
}

CU_TestInfo tests_fit_tree[] = {{"decisions", test_decisions}, {"losses", test_losses_count}, CU_TEST_INFO_NULL};
