/* Importances of functions with known shares of the variance. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "analyse/importance.h"
#include "base/random.h"

enum { LEVELS = 8, COLUMNS = 4, ROWS = LEVELS * LEVELS * LEVELS };

struct world {
    struct arena arena;
    struct comparison comparison;
    struct comparison_run run;
    struct comparison_parameter parameters[COLUMNS];
    const char *values[LEVELS];
    char texts[LEVELS][8];
    uint32_t choices[ROWS * COLUMNS];
    struct measurement measurements[ROWS];
    const struct measurement *of[ROWS];
    struct importance importance;
    double shares[COLUMNS];
    struct error error;
};

/* All combinations of three parameters; `tie` computes the fourth. */
static void make(struct world *world, double (*log_time)(const uint32_t *), uint32_t (*tie)(const uint32_t *))
{
    memset(world, 0, sizeof *world);
    for (uint32_t v = 0; v < LEVELS; v++) {
        snprintf(world->texts[v], sizeof world->texts[v], "%u", v);
        world->values[v] = world->texts[v];
    }
    for (size_t p = 0; p < COLUMNS; p++)
        world->parameters[p] = (struct comparison_parameter){"p", true, LEVELS, world->values};
    for (uint32_t i = 0; i < ROWS; i++) {
        uint32_t *choices = &world->choices[i * COLUMNS];
        choices[0] = i % LEVELS;
        choices[1] = i / LEVELS % LEVELS;
        choices[2] = i / LEVELS / LEVELS;
        choices[3] = tie(choices);
        world->measurements[i] = measurement_unknown(STATUS_OK);
        world->measurements[i].value = exp(log_time(choices));
        world->of[i] = &world->measurements[i];
    }
    world->run = (struct comparison_run){.of = world->of};
    world->comparison = (struct comparison){.objective = &objective_row_time,
                                            .kernel = "k",
                                            .parameter_count = COLUMNS,
                                            .run_count = 1,
                                            .configuration_count = ROWS,
                                            .parameters = world->parameters,
                                            .runs = &world->run,
                                            .choices = world->choices};
    world->importance.shares = world->shares;
}

static void find(struct world *world)
{
    CU_ASSERT_EQUAL(importance_find(&world->comparison, 0, &world->importance, NULL, &world->error), 0);
}

/* Variances of 4, 1 and 0 units: shares of 0.8, 0.2 and 0. */
static double additive(const uint32_t *choices)
{
    return 2.0 * choices[0] + choices[1];
}
/* Interaction only: together they explain all of the variance, alone none. */
static double together(const uint32_t *choices)
{
    return (choices[0] >= 4) != (choices[1] >= 4) ? 1 : 2;
}
static double flat(const uint32_t *choices)
{
    (void)choices;
    return 1;
}

static uint32_t nothing(const uint32_t *choices)
{
    (void)choices;
    return 3;
}
/* Tied to the first parameter: equal to it in three of four rows. */
static uint32_t companion(const uint32_t *choices)
{
    return random_mix(1, choices[1] * 64 + choices[2] * 8 + choices[0]) % 4 ? choices[0] : choices[2];
}

/* Half of the range of the third parameter or, in fewer rows, of the second. */
static double halves(const uint32_t *choices)
{
    return choices[1] / 2 + choices[2] / 2;
}
static uint32_t child(const uint32_t *choices)
{
    return choices[random_mix(2, choices[2] * 64 + choices[1] * 8 + choices[0]) % 8 < 3 ? 1 : 2] / 2;
}

/* As much noise as signal: the explained share is well below 1. */
static double noisy(const uint32_t *choices)
{
    return choices[0] + (double)(random_mix(3, choices[2] * 64 + choices[1] * 8 + choices[0]) % LEVELS);
}

static const struct {
    double (*log_time)(const uint32_t *);
    uint32_t (*tie)(const uint32_t *);
    double low[COLUMNS], high[COLUMNS];
} cases[] = {
    {additive, nothing, {0.70, 0.15, 0, 0}, {0.90, 0.25, 0.01, 0}},
    {together, nothing, {0.80, 0.80, 0, 0}, {1.05, 1.05, 0.02, 0}},
    /* The companion gets nothing of the first parameter's share, and that share shrinks to the part unexplained by the
     * companion. */
    {additive, companion, {0.15, 0.15, 0, 0}, {0.90, 0.25, 0.01, 0.02}},
};

static void test_shares(void)
{
    static struct world world;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make(&world, cases[i].log_time, cases[i].tie);
        find(&world);
        CU_ASSERT(world.importance.fit > 0.9 && world.importance.fit <= 1);
        CU_ASSERT_EQUAL(world.importance.rows, ROWS);
        for (size_t p = 0; p < COLUMNS; p++) {
            CU_ASSERT(world.shares[p] >= cases[i].low[p]);
            CU_ASSERT(world.shares[p] <= cases[i].high[p]);
        }
    }
}

/* A parameter tied to two others gets nothing of their shares: it is permuted among rows that agree in both. */
static void test_two_ties(void)
{
    static struct world world;
    make(&world, halves, child);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t p = 1; p <= 2; p++)
            world.choices[i * COLUMNS + p] /= 2;
    find(&world);
    CU_ASSERT(world.shares[0] < 0.001);
    CU_ASSERT(world.shares[1] > 0.1 && world.shares[1] < 0.6);
    CU_ASSERT(world.shares[2] > 0.1 && world.shares[2] < 0.6);
    CU_ASSERT(world.shares[3] < 0.001);
}

static void test_noise(void)
{
    static struct world world;
    make(&world, noisy, nothing);
    find(&world);
    CU_ASSERT(world.importance.fit > 0.25 && world.importance.fit < 0.6);
    CU_ASSERT(world.shares[0] > 0.3 && world.shares[0] < 0.7);
    CU_ASSERT(world.shares[1] < 0.15 && world.shares[2] < 0.15);
}

/* Words are unordered: renaming the values changes little. */
static void test_words(void)
{
    static struct world world;
    make(&world, additive, nothing);
    for (size_t i = 0; i < ROWS; i++)
        world.choices[i * COLUMNS] = world.choices[i * COLUMNS] * 5 % LEVELS;
    world.parameters[0].numbers = false;
    find(&world);
    CU_ASSERT(world.shares[0] > 0.7 && world.shares[0] < 0.9);
    CU_ASSERT(world.shares[1] > 0.15 && world.shares[1] < 0.25);
}

static void test_failures(void)
{
    static struct world world;
    make(&world, additive, nothing);
    for (size_t i = 0; i < ROWS; i += 4) {
        world.measurements[i] = measurement_unknown(STATUS_COMPILE_ERROR);
        world.of[i + 1] = NULL;
    }
    find(&world);
    CU_ASSERT_EQUAL(world.importance.failed, ROWS / 4);
    CU_ASSERT_EQUAL(world.importance.rows, ROWS / 2);
    CU_ASSERT(world.importance.fit > 0.9);
}

static void test_too_little(void)
{
    static struct world world;
    make(&world, flat, nothing);
    find(&world);
    CU_ASSERT(isnan(world.importance.fit) && isnan(world.shares[0]));
    make(&world, additive, nothing);
    for (size_t i = IMPORTANCE_ROWS_MIN - 1; i < ROWS; i++)
        world.of[i] = NULL;
    find(&world);
    CU_ASSERT(isnan(world.importance.fit) && isnan(world.shares[0]));
    CU_ASSERT_EQUAL(world.importance.rows, IMPORTANCE_ROWS_MIN - 1);
}

CU_TestInfo tests_importance[] = {{"finds the shares of known functions", test_shares},
                                  {"knows parameters tied to two", test_two_ties},
                                  {"knows noise", test_noise},
                                  {"takes words in any order", test_words},
                                  {"leaves out rows without a time", test_failures},
                                  {"says when it cannot know", test_too_little},
                                  CU_TEST_INFO_NULL};
