/* Formulas over sizes: they tell which of two configurations is faster, by what no feature knows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "analyse/fit_formula.h"
#include "db/size_condition.h"

enum { SIDE = 9, SIZES = SIDE * SIDE, WIDTH = 3, SM_COUNT = 132 };

static const char *const names[] = {"M", "N", "BATCH"};
static const char *const texts[WIDTH] = {"T=32", "T=64", "T=96"};
static const char *const blocks[WIDTH] = {"(ceildiv(M, 32) * ceildiv(N, 32))", "(ceildiv(M, 64) * ceildiv(N, 64))", ""};

/* The time of a kernel with square tiles: waves of blocks, each as long as a tile's area to a power. */
static double waves(int64_t m, int64_t n, int64_t tile, double power)
{
    double tiles = (double)((m + tile - 1) / tile) * (double)((n + tile - 1) / tile);
    return ceil(tiles / SM_COUNT) * pow((double)tile, power);
}

struct world {
    int64_t sizes[SIZES][3];
    double of[SIZES][WIDTH], weights[SIZES];
    size_t all[SIZES], chosen[WIDTH];
    struct fit_table table;
    struct fit_losses losses;
    struct fit_cover cover;
    struct arena arena;
    const char *traits[2 * WIDTH];
    struct fit_formulas *formulas;
    struct fit_formula learned[WIDTH];
    struct size_fit_node nodes[WIDTH];
    size_t node_count;
};

/* The losses may be anything with the right differences: here, logarithms of times. */
static void open_world(struct world *world)
{
    *world = (struct world){0};
    for (size_t s = 0; s < SIZES; s++) {
        int64_t m = (int64_t)(64 * pow(1.63, (double)(s % SIDE))), n = (int64_t)(70 * pow(1.71, (double)(s / SIDE)));
        memcpy(world->sizes[s], (int64_t[]){m, n, 8}, sizeof world->sizes[s]);
        world->of[s][0] = log(waves(m, n, 32, 1.75));
        world->of[s][1] = log(waves(m, n, 64, 1.7));
        world->of[s][2] = world->of[s][0] + 0.2 * log((double)m / 500) - (m % 2 ? 0 : 0.1);
        double least = fmin(fmin(world->of[s][0], world->of[s][1]), world->of[s][2]);
        for (size_t c = 0; c < WIDTH; c++)
            world->of[s][c] -= least;
        world->weights[s] = 1;
        world->all[s] = s;
    }
    for (size_t c = 0; c < WIDTH; c++)
        world->chosen[c] = c;
    world->table = (struct fit_table){.name_count = 3,
                                      .size_count = SIZES,
                                      .configuration_count = WIDTH,
                                      .names = names,
                                      .sizes = world->sizes[0],
                                      .configurations = texts,
                                      .sm_count = SM_COUNT,
                                      .blocks = blocks};
    world->losses = (struct fit_losses){SIZES, WIDTH, world->of[0], world->weights};
    world->cover = (struct fit_cover){.count = WIDTH, .chosen = world->chosen};
}

/* Learns the formulas of all pairs from the first `count` sizes. */
static void make(struct world *world, size_t count)
{
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(
        fit_formulas_open(&world->arena, &world->table, &world->losses, &world->cover, &world->formulas, &error), 0);
    CU_ASSERT_EQUAL(fit_formulas_configurations(world->formulas), WIDTH);
    world->node_count = 0;
    for (size_t a = 0; a < WIDTH; a++)
        for (size_t b = a + 1; b < WIDTH; b++) {
            struct fit_formula *learned = &world->learned[world->node_count];
            struct size_fit_node *node = &world->nodes[world->node_count];
            if (!fit_formula_learn(world->formulas, a, b, world->all, count, learned))
                continue;
            CU_ASSERT_EQUAL_FATAL(fit_formula_write(world->formulas, learned, node), 0);
            CU_ASSERT_PTR_NOT_NULL_FATAL(node->values[SIZE_FIT_ANYWHERE]);
            world->node_count++;
        }
}

/* How far the formula is from the difference of the logarithms, on average over the sizes with a small difference. */
static double error_of(const struct world *world, size_t number)
{
    const struct size_fit_node *node = &world->nodes[number];
    double sum = 0, count = 0;
    for (size_t s = 0; s < SIZES; s++) {
        double difference = world->of[s][node->a] - world->of[s][node->b];
        double value =
            (double)size_condition_value(node->values[SIZE_FIT_ANYWHERE], world->sizes[s]) / SIZE_FIT_FORMULA_ONE;
        if (fabs(difference) < 0.5) {
            sum += fabs(value - difference);
            count++;
        }
    }
    return sum / count;
}

/* One formula for each pair, for all sizes but those that do not vary. */
static void test_pairs(void)
{
    static const struct {
        unsigned a, b;
        double error;
        const char *has;
    } pairs[] = {{0, 1, 0.05, "log2(ceildiv((ceildiv(M, 32) * ceildiv(N, 32)), 132), 64)"},
                 {0, 2, 0.03, "log2(M, 64)"},
                 {1, 2, 0.15, "log2((ceildiv(M, 64) * ceildiv(N, 64)), 64)"}};
    struct world world;
    open_world(&world);
    make(&world, SIZES);
    CU_ASSERT_EQUAL_FATAL(world.node_count, 3);
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(world.nodes[i].a, pairs[i].a);
        CU_ASSERT_EQUAL(world.nodes[i].b, pairs[i].b);
        CU_ASSERT(error_of(&world, i) < pairs[i].error);
        CU_ASSERT_PTR_NOT_NULL(strstr(world.nodes[i].formula, pairs[i].has));
        CU_ASSERT_PTR_NULL(strstr(world.nodes[i].formula, "BATCH"));
        CU_ASSERT_PTR_NULL(strstr(world.nodes[i].formula, "log2(, "));
    }
    CU_ASSERT(strstr(world.nodes[0].formula, "log2(N, 64)") || strstr(world.nodes[2].formula, "log2(N, 64)"));
    arena_free(&world.arena);
}

/* What all configurations lose together at a size changes nothing. */
static void test_common_losses(void)
{
    struct world world, other;
    open_world(&world);
    make(&world, SIZES);
    open_world(&other);
    for (size_t s = 0; s < SIZES; s++)
        for (size_t c = 0; c < WIDTH; c++)
            other.of[s][c] += 0.5 * (double)(s % 5 + 1);
    make(&other, SIZES);
    CU_ASSERT_EQUAL_FATAL(other.node_count, world.node_count);
    for (size_t i = 0; i < world.node_count; i++)
        CU_ASSERT_STRING_EQUAL(other.nodes[i].formula, world.nodes[i].formula);
    arena_free(&other.arena);
    arena_free(&world.arena);
}

/* A formula is worth what its text is, to the last digit. */
static void test_values(void)
{
    struct world world;
    open_world(&world);
    make(&world, SIZES);
    for (size_t i = 0; i < world.node_count; i++)
        for (size_t s = 0; s < SIZES; s++)
            CU_ASSERT_EQUAL(fit_formula_value(&world.learned[i], s),
                            size_condition_value(world.nodes[i].values[SIZE_FIT_ANYWHERE], world.sizes[s]));
    arena_free(&world.arena);
}

/* The sizes that a formula learns from are all it knows: others follow another one. */
static void test_some_sizes(void)
{
    struct world world;
    struct fit_formula halves[2];
    size_t of[2][SIZES], count[2] = {0, 0};
    open_world(&world);
    for (size_t s = 0; s < SIZES; s++) {
        size_t half = world.sizes[s][0] > 500;
        of[half][count[half]++] = s;
        world.of[s][0] = half ? 0.1 : 0;
        world.of[s][1] = half ? 0 : 0.2;
        world.of[s][2] = 1;
    }
    make(&world, SIZES);
    for (size_t half = 0; half < 2; half++) {
        CU_ASSERT_FATAL(fit_formula_learn(world.formulas, 0, 1, of[half], count[half], &halves[half]));
        for (size_t i = 0; i < count[half]; i++) {
            double value = (double)fit_formula_value(&halves[half], of[half][i]) / SIZE_FIT_FORMULA_ONE;
            CU_ASSERT_DOUBLE_EQUAL(value, half ? 0.1 : -0.2, 0.001);
        }
        CU_ASSERT_EQUAL(halves[half].count, 0); /* no term tells anything more */
    }
    arena_free(&world.arena);
}

/* Of many terms, those that tell most are taken, and no more than six. */
static void test_terms(void)
{
    for (int rough = 0; rough < 2; rough++) {
        struct world world;
        open_world(&world);
        for (size_t s = 0; s < SIZES; s++) {
            double m = log((double)world.sizes[s][0] / 500), n = log((double)world.sizes[s][1] / 500);
            world.of[s][0] = 0.05 * m + (rough ? 0.1 * sin(9 * m) + 0.1 * sin(7 * n) + 0.02 * n : 0);
            world.of[s][1] = 0;
            world.of[s][2] = 1;
        }
        make(&world, SIZES);
        CU_ASSERT_EQUAL(world.learned[0].count, rough ? 6 : 1);
        CU_ASSERT(rough || strstr(world.nodes[0].formula, "log2(M, 64)"));
        arena_free(&world.arena);
    }
}

/* What tells the programs of a configuration apart at different sizes is a term, once for both if they share it. */
static void test_traits(void)
{
    static const char *const narrow = "(M % 2)", *const steps = "ceildiv(N, 256)";
    struct world world;
    open_world(&world);
    for (size_t s = 0; s < SIZES; s++) {
        world.of[s][0] = world.sizes[s][0] % 2 ? 0.3 : 0;
        world.of[s][1] = 0.1 * log2((double)((world.sizes[s][1] + 255) / 256 + 1));
        world.of[s][2] = 1;
    }
    world.traits[0] = world.traits[1] = narrow;
    world.traits[WIDTH + 1] = steps;
    world.traits[2] = world.traits[WIDTH] = world.traits[WIDTH + 2] = "";
    world.table.traits = world.traits;
    world.table.trait_count = 2;
    make(&world, SIZES);
    CU_ASSERT(error_of(&world, 0) < 0.01);
    const char *first = strstr(world.nodes[0].formula, "log2(((M % 2) + 1), 64)");
    CU_ASSERT_PTR_NOT_NULL_FATAL(first);
    CU_ASSERT_PTR_NULL(strstr(first + 1, "log2(((M % 2) + 1), 64)"));
    CU_ASSERT_PTR_NOT_NULL(strstr(world.nodes[0].formula, "log2((ceildiv(N, 256) + 1), 64)"));
    arena_free(&world.arena);
}

/* Even sizes differ from odd ones by the power of two that divides them. */
static void test_alignment(void)
{
    struct world world;
    open_world(&world);
    make(&world, SIZES);
    CU_ASSERT_PTR_NOT_NULL(strstr(world.nodes[1].formula, "log2(((M | 8) & (0 - (M | 8))), 64)"));
    arena_free(&world.arena);
}

/* Of 20 sizes at which both have a time, something is learned, of fewer nothing. */
static void test_few(void)
{
    for (size_t known = 19; known <= 20; known++) {
        struct world world;
        open_world(&world);
        for (size_t s = known; s < SIZES; s++)
            world.of[s][2] = s % 2 ? FIT_INVALID : FIT_UNMEASURED;
        make(&world, SIZES);
        CU_ASSERT_EQUAL(world.node_count, known == 20 ? 3 : 1);
        arena_free(&world.arena);
    }
}

/* Sizes count by their weights, and where neither of a pair is fast they hardly do. */
static void test_weights(void)
{
    for (int heavy = 0; heavy < 2; heavy++) {
        struct world world;
        open_world(&world);
        for (size_t s = 0; s < SIZES; s++) { /* a constant loss, and another at every third size */
            world.of[s][0] = 0;
            world.of[s][1] = s % 3 ? 0.1 : -0.3;
            world.of[s][2] = 2;
            world.weights[s] = s % 3 || heavy ? 1 : 1e-6;
        }
        make(&world, SIZES);
        double value = (double)size_condition_value(world.nodes[0].values[SIZE_FIT_ANYWHERE], world.sizes[0]) /
                       SIZE_FIT_FORMULA_ONE;
        CU_ASSERT(heavy ? value > 0 : fabs(value + 0.1) < 0.01);
        arena_free(&world.arena);
    }
}

/* The product counts above limits at 0.35 and 0.65 of the way from its least to its greatest logarithm. */
static void test_limits(void)
{
    static const double limit_at[] = {0.35, 0.65};
    struct error error = {0};
    for (size_t l = 0; l < 2; l++) {
        struct world world;
        const struct size_condition *product;
        char limit[32];
        open_world(&world);
        CU_ASSERT_EQUAL_FATAL(
            size_condition_parse(&world.arena, "(log2(M, 64) + log2(N, 64))", names, 3, &product, &error), 0);
        double least = (double)size_condition_value(product, world.sizes[0]);
        double most = (double)size_condition_value(product, world.sizes[SIZES - 1]);
        double from = round(least + limit_at[l] * (most - least));
        for (size_t s = 0; s < SIZES; s++) {
            world.of[s][0] = 0.002 * fmax((double)size_condition_value(product, world.sizes[s]) - from, 0);
            world.of[s][1] = 0.3;
            world.of[s][2] = 2;
        }
        make(&world, SIZES);
        snprintf(limit, sizeof limit, "- %.0f), 0)", from);
        CU_ASSERT_PTR_NOT_NULL(strstr(world.nodes[0].formula, limit));
        CU_ASSERT(error_of(&world, 0) < 0.003);
        arena_free(&world.arena);
    }
}

/* Without multiprocessors there are no waves; without blocks, neither. A text that is nested too deeply is left out. */
static void test_without(void)
{
    static char deep[400];
    const char *const nested[WIDTH] = {deep, deep, ""};
    size_t at = 0;
    for (int i = 0; i < 63; i++) /* as deep as a condition may be */
        at += (size_t)snprintf(deep + at, sizeof deep - at, "!");
    snprintf(deep + at, sizeof deep - at, "M");
    for (int row = 0; row < 3; row++) {
        struct world world;
        open_world(&world);
        world.table.sm_count = row == 0 ? 0 : SM_COUNT;
        world.table.blocks = row == 0 ? blocks : row == 1 ? NULL : nested;
        make(&world, SIZES);
        CU_ASSERT_EQUAL_FATAL(world.node_count, 3);
        for (size_t i = 0; i < 3; i++) {
            CU_ASSERT_PTR_NULL(strstr(world.nodes[i].formula, ", 132)"));
            CU_ASSERT_PTR_NULL(strstr(world.nodes[i].formula, "!!"));
        }
        CU_ASSERT((strstr(world.nodes[0].formula, "ceildiv") != NULL) == (row == 0));
        arena_free(&world.arena);
    }
}

CU_TestInfo tests_fit_formula[] = {{"pairs", test_pairs},
                                   {"common losses", test_common_losses},
                                   {"values", test_values},
                                   {"some sizes", test_some_sizes},
                                   {"terms", test_terms},
                                   {"traits", test_traits},
                                   {"alignment", test_alignment},
                                   {"few sizes", test_few},
                                   {"weights", test_weights},
                                   {"limits", test_limits},
                                   {"without blocks", test_without},
                                   CU_TEST_INFO_NULL};
