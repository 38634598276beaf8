/* Trees over sizes: their features, and their pruning. */
#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "fit/fit_tree.h"

enum { SIZES = 32 };

/* True if the second of two configurations is the best at a size. */
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

static const int64_t sizes[SIZES][2] = {
    {16, 64},     {17, 301},    {100, 35},   {64, 64},   {512, 12},   {33, 999},   {128, 128}, {250, 91},
    {64, 2048},   {1000, 101},  {2048, 512}, {777, 777}, {30, 4000},  {3000, 5},   {900, 31},  {5000, 5002},
    {20, 66},     {45, 67},     {150, 150},  {180, 151}, {24, 800},   {25, 801},   {700, 16},  {710, 17},
    {1500, 1500}, {1600, 1501}, {60, 2050},  {61, 2051}, {4000, 128}, {4100, 129}, {300, 48},  {310, 49}};

static int make_features(struct arena *arena, const int64_t *of, size_t count, size_t name_count,
                         const struct fit_cover *cover, struct fit_features *features)
{
    static const char *const names[] = {"ROWS", "COLS"};
    const struct fit_table table = {.name_count = name_count,
                                    .size_count = count,
                                    .names = names,
                                    .sizes = of,
                                    .sm_count = 132,
                                    .l2_bytes = 50 << 20};
    return fit_features_make(arena, &table, cover, features, NULL);
}

static void prune(const struct fit_tree *tree, double price, struct size_fit *fit)
{
    bool cut[SIZE_FIT_NODES_MAX];
    fit_tree_prune(tree, price, cut);
    fit_tree_write(tree, cut, fit);
}

static void grow(rule *is_second, double loss, double price, struct size_fit *fit)
{
    struct arena arena = {0};
    struct fit_features features;
    struct fit_tree *tree;
    double of[SIZES][2];
    size_t all[SIZES], chosen[2] = {0, 1};
    const struct fit_losses losses = {SIZES, 2, of[0], NULL};
    const struct fit_cover cover = {.count = 2, .chosen = chosen};
    for (size_t s = 0; s < SIZES; s++) {
        bool second = is_second(sizes[s][0], sizes[s][1]);
        all[s] = s;
        of[s][0] = second ? loss : 0;
        of[s][1] = second ? 0 : loss;
    }
    CU_ASSERT_EQUAL_FATAL(make_features(&arena, sizes[0], SIZES, 2, &cover, &features), 0);
    CU_ASSERT_EQUAL_FATAL(
        fit_tree_grow(&arena, &(struct fit_ground){&losses, &features, NULL, 0}, all, SIZES, &cover, &tree, NULL), 0);
    *fit = (struct size_fit){.size_count = 2, .configuration_count = 2};
    prune(tree, price, fit);
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
        {is_large, 100, 1, 0}, /* no leaf saves as much */
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
            CU_ASSERT_EQUAL(size_fit_choose(&fit, sizes[s], 132, 50 << 20, UINT32_MAX),
                            cases[i].is_second(sizes[s][0], sizes[s][1]));
    }
}

/* Losses count, not cases: one size that loses much outvotes three that lose nearly nothing. */
static void test_losses_count(void)
{
    const int64_t same[4][1] = {{5}, {5}, {5}, {5}};
    const double of[4][2] = {{0, .01}, {0, .01}, {0, .01}, {2, 0}};
    struct arena arena = {0};
    struct fit_features features;
    struct fit_tree *tree;
    size_t all[] = {0, 1, 2, 3}, chosen[] = {0, 1};
    const struct fit_losses losses = {4, 2, of[0], NULL};
    const struct fit_cover cover = {.count = 2, .chosen = chosen};
    struct size_fit fit = {.size_count = 1, .configuration_count = 2};
    CU_ASSERT_EQUAL_FATAL(make_features(&arena, same[0], 4, 1, &cover, &features), 0);
    CU_ASSERT_EQUAL_FATAL(
        fit_tree_grow(&arena, &(struct fit_ground){&losses, &features, NULL, 0}, all, 4, &cover, &tree, NULL), 0);
    prune(tree, 0, &fit);
    CU_ASSERT_EQUAL(fit.node_count, 1);
    CU_ASSERT_EQUAL(fit.nodes[0].order[0], 1);
    CU_ASSERT_EQUAL(fit.nodes[0].order[1], 0);
    arena_free(&arena);
}

#define V (-INFINITY)

/* An order serves each kind of sizes by the first valid configuration. A right fallback needs no split; a wrong one
 * causes a split. Kinds without sizes in a leaf keep the order of the parent node. */
static void test_kinds(void)
{
    static const struct {
        double of[8][3]; /* sizes 1, 2, 4 ... 128, each twice as large as the previous */
        size_t nodes, leaves;
        uint8_t orders[2][3]; /* of the leaves */
    } cases[] = {
        /* 2 is the best where valid, and 1 elsewhere. */
        {{{.5, 0, V}, {.5, .3, 0}, {.5, 0, V}, {.5, .3, 0}, {.5, 0, V}, {.5, .3, 0}, {.5, 0, V}, {.5, .3, 0}},
         1,
         1,
         {{2, 1, 0}}},
        /* Elsewhere, 0 is the best of the small and 1 of the large. */
        {{{0, .5, V}, {.9, .5, 0}, {0, .5, V}, {.9, .5, 0}, {.5, 0, V}, {.9, .5, 0}, {.5, 0, V}, {.9, .5, 0}},
         3,
         2,
         {{2, 0, 1}, {2, 1, 0}}},
        /* All large ones take 1; the rest of the order is as above all. */
        {{{0, .5, .3}, {0, .5, .3}, {0, .5, .3}, {0, .5, .3}, {.9, 0, .9}, {.9, 0, .9}, {.9, 0, .9}, {.9, 0, .9}},
         3,
         2,
         {{0, 1, 2}, {1, 0, 2}}},
        /* The same for the second kind: 0 is the best where valid, elsewhere 1 of the small sizes and 2 of the
         * large. */
        {{{0, .9, .9}, {V, 0, .5}, {0, .9, .9}, {V, 0, .5}, {0, .9, .9}, {V, .5, 0}, {0, .9, .9}, {V, .5, 0}},
         3,
         2,
         {{0, 1, 2}, {0, 2, 1}}},
        /* Two that fail lose much, wherever they are valid. */
        {{{INFINITY, 0, V},
          {INFINITY, 0, V},
          {INFINITY, 0, V},
          {INFINITY, 0, V},
          {.1, 0, 2},
          {.1, 0, 2},
          {.1, 0, 2},
          {.1, 0, 2}},
         1,
         1,
         {{1, 0, 2}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct fit_features features;
        struct fit_tree *tree;
        int64_t doubled[8];
        size_t all[8], chosen[] = {0, 1, 2}, leaf = 0;
        const struct fit_losses losses = {8, 3, cases[i].of[0], NULL};
        const struct fit_cover cover = {.count = 3, .chosen = chosen};
        struct size_fit fit = {.size_count = 1, .configuration_count = 3};
        for (size_t s = 0; s < 8; s++) {
            all[s] = s;
            doubled[s] = (int64_t)1 << s;
        }
        CU_ASSERT_EQUAL_FATAL(make_features(&arena, doubled, 8, 1, &cover, &features), 0);
        CU_ASSERT_EQUAL_FATAL(
            fit_tree_grow(&arena, &(struct fit_ground){&losses, &features, NULL, 0}, all, 8, &cover, &tree, NULL), 0);
        prune(tree, 0.01, &fit);
        CU_ASSERT_EQUAL_FATAL(fit.node_count, cases[i].nodes);
        for (size_t n = 0; n < fit.node_count; n++)
            if (fit.nodes[n].leaf && leaf < 2) {
                CU_ASSERT_EQUAL(memcmp(fit.nodes[n].order, cases[i].orders[leaf], 3), 0);
                leaf++;
            }
        CU_ASSERT_EQUAL(leaf, cases[i].leaves);
        arena_free(&arena);
    }
}

/* Each pair of sizes prefers another configuration, the first or the last one most of all: a chain of decisions, up to
 * the depth limit of trees. */
static void test_depth(void)
{
    enum { WANTS = 8, PAIRS = 2 * WANTS, DEPTH = 6 }; /* a leaf has two sizes */
    for (int last = 0; last < 2; last++) {
        struct arena arena = {0};
        struct fit_features features;
        struct fit_tree *tree;
        int64_t doubled[PAIRS];
        double of[PAIRS][WANTS];
        size_t all[PAIRS];
        const struct fit_losses losses = {PAIRS, WANTS, of[0], NULL};
        const struct fit_cover cover = {.count = WANTS, .chosen = all};
        struct size_fit fit = {.size_count = 1, .configuration_count = WANTS};
        for (size_t s = 0; s < PAIRS; s++) {
            all[s] = s;
            doubled[s] = (int64_t)1 << s;
            for (size_t c = 0; c < WANTS; c++)
                of[s][c] = c == s / 2 ? 0 : ldexp(1, -(int)(last ? WANTS - 1 - s / 2 : s / 2));
        }
        CU_ASSERT_EQUAL_FATAL(make_features(&arena, doubled, PAIRS, 1, &cover, &features), 0);
        CU_ASSERT_EQUAL_FATAL(
            fit_tree_grow(&arena, &(struct fit_ground){&losses, &features, NULL, 0}, all, PAIRS, &cover, &tree, NULL),
            0);
        prune(tree, 0, &fit);
        CU_ASSERT_EQUAL(fit.node_count, 2 * DEPTH + 1);
        arena_free(&arena);
    }
}

/* Sizes of one origin make no leaf, and a weight reduces the influence of a size. */
static void test_origins_and_weights(void)
{
    static const size_t one[] = {0, 1, 2, 2}, two[] = {0, 1, 2, 3};
    static const double light[] = {1, 1, .1, .1};
    static const struct {
        const size_t *origins;
        const double *weights;
        double gain; /* of the second for the last two sizes; it loses 0.2 for the others */
        size_t nodes;
        uint8_t first;
    } cases[] = {
        {NULL, NULL, .3, 3, 0}, {two, NULL, .3, 3, 0}, {one, NULL, .3, 1, 1},
        {one, light, .3, 1, 0}, {one, NULL, .1, 1, 0},
    };
    const int64_t doubled[] = {1, 2, 4, 8};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct fit_features features;
        struct fit_tree *tree;
        const double gain = cases[i].gain, of[4][2] = {{0, .2}, {0, .2}, {gain, 0}, {gain, 0}};
        size_t all[] = {0, 1, 2, 3}, chosen[] = {0, 1};
        const struct fit_losses losses = {4, 2, of[0], cases[i].weights};
        const struct fit_cover cover = {.count = 2, .chosen = chosen};
        struct size_fit fit = {.size_count = 1, .configuration_count = 2};
        CU_ASSERT_EQUAL_FATAL(make_features(&arena, doubled, 4, 1, &cover, &features), 0);
        CU_ASSERT_EQUAL_FATAL(fit_tree_grow(&arena, &(struct fit_ground){&losses, &features, cases[i].origins, 0}, all,
                                            4, &cover, &tree, NULL),
                              0);
        prune(tree, 0.001, &fit);
        CU_ASSERT_EQUAL(fit.node_count, cases[i].nodes);
        if (fit.node_count == 1)
            CU_ASSERT_EQUAL(fit.nodes[0].order[0], cases[i].first);
        arena_free(&arena);
    }
}

/* Grows a tree over eight sizes, odd and even, small and large. There, the first of two configurations loses
 * `of_first`, and the second 0.5 minus that. */
static void grow_eight(const double *of_first, struct size_fit *fit)
{
    enum { COUNT = 8 };
    static const int64_t sizes_of[COUNT] = {1024, 1025, 1026, 1027, 2048, 2049, 2050, 2051};
    struct arena arena = {0};
    struct fit_features features;
    struct fit_tree *tree;
    double of[COUNT][2];
    size_t all[COUNT], chosen[] = {0, 1};
    const struct fit_losses losses = {COUNT, 2, of[0], NULL};
    const struct fit_ground ground = {&losses, &features, NULL, 0};
    const struct fit_cover cover = {.count = 2, .chosen = chosen};
    for (size_t s = 0; s < COUNT; s++) {
        all[s] = s;
        of[s][0] = of_first[s];
        of[s][1] = .5 - of_first[s];
    }
    CU_ASSERT_EQUAL_FATAL(make_features(&arena, sizes_of, COUNT, 1, &cover, &features), 0);
    CU_ASSERT_EQUAL_FATAL(fit_tree_grow(&arena, &ground, all, COUNT, &cover, &tree, NULL), 0);
    *fit = (struct size_fit){.size_count = 1, .configuration_count = 2};
    prune(tree, 0.001, fit);
    arena_free(&arena);
}

/* A remainder that separates a little better than a size is not taken: it must save three times as much. */
static void test_remainders(void)
{
    static const struct {
        double of[8]; /* loss of the first of two; the second loses 0.5 minus that */
        enum size_feature feature;
    } cases[] = {
        {{0, .1, 0, .1, .5, .5, .5, .5}, SIZE_FEATURE_size},
        {{0, .5, 0, .5, 0, .5, 0, .5}, SIZE_FEATURE_remainder}, /* the remainder saves 2.0, the size 0.5 */
        {{0, .5, 0, .5, 0, .5, .15, .5}, SIZE_FEATURE_remainder},
        {{0, .5, 0, .5, .45, .5, 0, .5}, SIZE_FEATURE_size}, /* 1.1 and 0.5 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct size_fit fit;
        grow_eight(cases[i].of, &fit);
        CU_ASSERT_FATAL(fit.node_count > 1);
        CU_ASSERT_EQUAL(fit.nodes[0].feature, cases[i].feature);
    }
}

/* Blocks of configurations decide where sizes alone need many decisions: 64 x 64 tiles are better than 32 x 32 while
 * they have at most a third of the waves. A node with pruned children answers as a leaf. */
static void test_blocks(void)
{
    enum { SIDE = 12, MANY = SIDE * SIDE };
    static const char *const names[] = {"ROWS", "COLS"}, *const blocks[] = {"(ceildiv(ROWS, 32) * ceildiv(COLS, 32))",
                                                                            "(ceildiv(ROWS, 64) * ceildiv(COLS, 64))",
                                                                            ""};
    static const struct {
        size_t chosen[2];
        bool divides; /* by blocks */
    } cases[] = {{{0, 1}, true}, {{0, 2}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct fit_features features;
        struct fit_tree *tree;
        int64_t at[MANY][2];
        double of[MANY][3];
        size_t all[MANY], chosen[2] = {cases[i].chosen[0], cases[i].chosen[1]}, wrong = 0, of_blocks = 0;
        bool cut[SIZE_FIT_NODES_MAX], root[SIZE_FIT_NODES_MAX];
        for (size_t s = 0; s < MANY; s++) {
            at[s][0] = (int64_t)(256 * pow(1.31, (double)(s % SIDE)));
            at[s][1] = (int64_t)(256 * pow(1.31, (double)(s / SIDE)));
            int64_t small = (at[s][0] + 31) / 32 * ((at[s][1] + 31) / 32),
                    large = (at[s][0] + 63) / 64 * ((at[s][1] + 63) / 64);
            bool second = 3 * ((large + 131) / 132) <= (small + 131) / 132;
            all[s] = s;
            of[s][0] = second ? 0.5 : 0;
            of[s][1] = of[s][2] = second ? 0 : 0.5;
        }
        const struct fit_table table = {.name_count = 2,
                                        .size_count = MANY,
                                        .configuration_count = 3,
                                        .names = names,
                                        .sizes = at[0],
                                        .blocks = blocks,
                                        .sm_count = 132,
                                        .l2_bytes = 50 << 20};
        const struct fit_losses losses = {MANY, 3, of[0], NULL};
        const struct fit_cover cover = {.count = 2, .chosen = chosen};
        struct size_fit fit = {0};
        CU_ASSERT_EQUAL_FATAL(fit_features_make(&arena, &table, &cover, &features, NULL), 0);
        for (size_t f = 0; f < features.count; f++)
            of_blocks += size_feature_rows[features.nodes[f].feature].of == SIZE_FEATURE_OF_blocks;
        CU_ASSERT_EQUAL(of_blocks > 0, cases[i].divides);
        CU_ASSERT_EQUAL_FATAL(
            fit_tree_grow(&arena, &(struct fit_ground){&losses, &features, NULL, 0}, all, MANY, &cover, &tree, NULL),
            0);
        fit_tree_prune(tree, 0.1, cut);
        fit_tree_prune(tree, 1e9, root);
        fit_tree_write(tree, root, &fit);
        CU_ASSERT_EQUAL(fit.node_count, 1);
        fit_tree_write(tree, cut, &fit); /* replaces these nodes */
        CU_ASSERT_EQUAL(fit.nodes[0].feature == SIZE_FEATURE_relative_waves, cases[i].divides);
        CU_ASSERT(!cases[i].divides || fit.node_count == 3);
        for (size_t s = 0; s < MANY; s++) {
            wrong += of[s][chosen[fit_tree_order(tree, cut, s)[0]]] > 0;
            CU_ASSERT_PTR_EQUAL(fit_tree_order(tree, root, s), fit_tree_order(tree, root, 0));
        }
        CU_ASSERT(!cases[i].divides || wrong == 0);
        arena_free(&arena);
    }
}

/* One of two configurations serves small rows with small columns, and large rows with large ones. No first decision
 * saves much: a tree grown greedily errs at 8 or 9 sizes. The improved tree errs at none. */
static void test_improved(void)
{
    enum { SIDE = 9, MANY = SIDE * SIDE };
    static const size_t borders[][2] = {{3, 3}, {3, 4}, {4, 3}, {6, 7}, {7, 6}};
    for (size_t i = 0; i < sizeof borders / sizeof *borders; i++) {
        struct arena arena = {0};
        struct fit_features features;
        struct fit_tree *tree;
        int64_t at[MANY][2];
        double of[MANY][2];
        bool cut[SIZE_FIT_NODES_MAX];
        size_t all[MANY], chosen[2] = {0, 1}, wrong = 0;
        const struct fit_losses losses = {MANY, 2, of[0], NULL};
        const struct fit_cover cover = {.count = 2, .chosen = chosen};
        for (size_t s = 0; s < MANY; s++) {
            bool second = (s % SIDE >= borders[i][0]) != (s / SIDE >= borders[i][1]);
            at[s][0] = (int64_t)100 << s % SIDE;
            at[s][1] = (int64_t)100 << s / SIDE;
            all[s] = s;
            of[s][0] = second ? 0.5 : 0;
            of[s][1] = second ? 0 : 0.5;
        }
        CU_ASSERT_EQUAL_FATAL(make_features(&arena, at[0], MANY, 2, &cover, &features), 0);
        CU_ASSERT_EQUAL_FATAL(
            fit_tree_grow(&arena, &(struct fit_ground){&losses, &features, NULL, 0.01}, all, MANY, &cover, &tree, NULL),
            0);
        fit_tree_prune(tree, 0.01, cut);
        for (size_t s = 0; s < MANY; s++)
            wrong += of[s][fit_tree_order(tree, cut, s)[0]] > 0;
        CU_ASSERT_EQUAL(wrong, 0);
        arena_free(&arena);
    }
}

CU_TestInfo tests_fit_tree[] = {{"decisions", test_decisions},
                                {"losses", test_losses_count},
                                {"kinds", test_kinds},
                                {"depth", test_depth},
                                {"origins and weights", test_origins_and_weights},
                                {"remainders", test_remainders},
                                {"blocks", test_blocks},
                                {"improved", test_improved},
                                CU_TEST_INFO_NULL};
