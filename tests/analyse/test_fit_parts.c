/* What times consist of, learned at some sizes and judged at others. */
#include <math.h>
#include <stdio.h>

#include <CUnit/Basic.h>

#include "analyse/fit_parts.h"
#include "base/random.h"

enum { SIZES = 120, LEARNED = 80, NAMES = 6, SM_COUNT = 16, TRAITS = 10 };

static const char *const names[NAMES] = {"A", "B", "C", "D", "E", "F"};
static const char *const texts[] = {"T=1", "T=2"};

/* A time in nanoseconds. */
typedef double landscape(const int64_t *sizes);

static double volume(const int64_t *sizes)
{
    return 1500 + 0.01 * (double)sizes[0] * (double)sizes[1] + 2 * (double)sizes[0];
}

/* Odd columns take three times as long, as far as the time is one of the work. */
static double odd(const int64_t *sizes)
{
    return 1500 + (sizes[1] % 2 ? 0.03 : 0.01) * (double)sizes[0] * (double)sizes[1];
}

/* Two levels, and in the other size. */
static double narrow(const int64_t *sizes)
{
    return 900 + (sizes[0] % 8 ? 0.02 : 0.01) * (double)sizes[0] * (double)sizes[1] +
           (sizes[0] % 2 ? 4 : 1) * (double)sizes[1];
}

/* Rows of less than 500 take another way. */
static double of_two_ways(const int64_t *sizes)
{
    return 900 + (sizes[0] < 500 ? 0.05 : 0.01) * (double)sizes[0] * (double)sizes[1];
}

static double blocks_of(const int64_t *sizes)
{
    return ceil((double)sizes[0] / 256) * ceil((double)sizes[1] / 256);
}

/* Waves of blocks, each as long as a row. */
static double stairs(const int64_t *sizes)
{
    return 700 + 3 * ceil(blocks_of(sizes) / SM_COUNT) * (double)sizes[1];
}

/* A multiprocessor runs two blocks, or four, in the time of one. */
static double in_pairs(const int64_t *sizes)
{
    return 700 + 3 * ceil(blocks_of(sizes) / SM_COUNT / 2) * (double)sizes[1];
}

static double in_fours(const int64_t *sizes)
{
    return 700 + 3 * ceil(blocks_of(sizes) / SM_COUNT / 4) * (double)sizes[1];
}

static double cube(const int64_t *sizes)
{
    return 700 + 1e-5 * (double)sizes[0] * (double)sizes[1] * (double)sizes[2] +
           0.01 * (double)sizes[1] * (double)sizes[2];
}

/* The sum of two of its parts is less than each: only a negative part would explain it. */
static double falls(const int64_t *sizes)
{
    return 1e6 - 100 * (double)sizes[0];
}

static double of_six(const int64_t *sizes)
{
    return 700 + 0.05 * (double)sizes[0] * (double)sizes[5] + (double)sizes[3];
}

struct world {
    int64_t sizes[SIZES][NAMES];
    double times[SIZES][2], blocks[SIZES][2];
    size_t all[SIZES];
    struct fit_table table;
    struct arena arena;
    const struct size_condition *traits[TRAITS];
    double expected[SIZES];
};

/* The second configuration has a time nowhere. */
static void open_world(struct world *world, landscape *of, size_t varying, int sm_count)
{
    struct random random;
    *world = (struct world){0};
    random_seed(&random, 5);
    for (size_t s = 0; s < SIZES; s++) {
        for (size_t n = 0; n < NAMES; n++) {
            int64_t drawn = (int64_t)(64 * pow(64, random_unit(&random)));
            world->sizes[s][n] = n >= varying ? 7 : s % 3 ? drawn & ~(int64_t)(s % 3 == 1 ? 7 : 1) : drawn;
        }
        world->times[s][0] = s % 10 == 9 ? FIT_UNMEASURED : s % 10 == 8 ? FIT_FAILED : of(world->sizes[s]);
        world->times[s][1] = s % 2 ? FIT_INVALID : FIT_UNMEASURED;
        world->blocks[s][0] = world->blocks[s][1] = blocks_of(world->sizes[s]);
        world->all[s] = s;
    }
    world->table = (struct fit_table){.name_count = NAMES,
                                      .size_count = SIZES,
                                      .configuration_count = 2,
                                      .names = names,
                                      .sizes = world->sizes[0],
                                      .configurations = texts,
                                      .times = world->times[0],
                                      .sm_count = sm_count};
}

/* The greatest error at the sizes that it does not learn from, of the logarithm. */
static double error_of(struct world *world, landscape *of)
{
    double most = 0;
    CU_ASSERT_EQUAL_FATAL(
        fit_parts_expect(&world->table, world->blocks[0], 0, world->traits, world->all, LEARNED, world->expected, NULL),
        0);
    for (size_t s = LEARNED; s < SIZES; s++)
        most = fmax(most, fabs(world->expected[s] - log(of(world->sizes[s]))));
    return most;
}

static void test_explains(void)
{
    static const struct {
        landscape *of;
        size_t varying;
        int sm_count;
        double least, most; /* of the error */
    } rows[] = {
        {volume, 2, SM_COUNT, 0, 0.03},   {odd, 2, SM_COUNT, 0, 0.06},  {narrow, 2, SM_COUNT, 0, 0.06},
        {stairs, 2, SM_COUNT, 0, 0.16},   {stairs, 2, 0, 0.2, 10},      {in_pairs, 2, SM_COUNT, 0, 0.16},
        {in_fours, 2, SM_COUNT, 0, 0.16}, {cube, 3, SM_COUNT, 0, 0.06}, {volume, 6, SM_COUNT, 0, 0.2},
        {of_six, 6, SM_COUNT, 0, 0.2},    {odd, 6, SM_COUNT, 0.3, 10},  {falls, 2, SM_COUNT, 0.03, 10},
        {volume, 1, SM_COUNT, 0, 0.01},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct world world;
        open_world(&world, rows[i].of, rows[i].varying, rows[i].sm_count);
        double error = error_of(&world, rows[i].of);
        CU_ASSERT(error >= rows[i].least && error <= rows[i].most);
        if (error < rows[i].least || error > rows[i].most)
            printf("\nrow %zu: %g\n", i, error);
    }
}

/* Amounts count once more where a trait is 1, if it is 0 or 1 everywhere and both somewhere; the first eight do, and
 * fewer of them where there are many sizes. */
static void test_flags(void)
{
    static const struct {
        const char *traits[TRAITS];
        landscape *of;
        size_t varying;
        double least, most;
    } rows[] = {
        {{""}, of_two_ways, 2, 0.2, 10},
        {{"(A < 500)"}, of_two_ways, 2, 0, 0.06},
        {{"", "(B % 3)", "(A < 500)"}, of_two_ways, 2, 0, 0.06},
        {{"(2 * (A < 500))"}, of_two_ways, 2, 0.2, 10},
        {{"(0 - (A < 500))"}, of_two_ways, 2, 0.2, 10},
        {{"(A > 0)"}, of_two_ways, 2, 0.2, 10},
        {{"(A < 0)", "(A < 500)"}, of_two_ways, 2, 0, 0.06},
        {{"(B < 70)", "(B < 71)", "(B < 72)", "(B < 73)", "(B < 74)", "(B < 75)", "(B < 76)", "(A < 500)"},
         of_two_ways,
         2,
         0,
         0.06},
        {{"(B < 70)", "(B < 71)", "(B < 72)", "(B < 73)", "(B < 74)", "(B < 75)", "(B < 76)", "(B < 77)", "(A < 500)"},
         of_two_ways,
         2,
         0.2,
         10},
        {{"(A < 500)", "(B < 70)", "(B < 71)", "(B < 72)", "(B < 73)"}, of_two_ways, 4, 0, 0.2},
        {{"(B < 70)", "(B < 71)", "(B < 72)", "(B < 73)", "(B < 74)", "(B < 75)", "(A < 500)"}, odd, 4, 0, 0.2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct world world;
        open_world(&world, rows[i].of, rows[i].varying, SM_COUNT);
        world.table.trait_count = TRAITS;
        for (size_t t = 0; t < TRAITS; t++)
            if (rows[i].traits[t] && *rows[i].traits[t])
                CU_ASSERT_EQUAL_FATAL(
                    size_condition_parse(&world.arena, rows[i].traits[t], names, NAMES, &world.traits[t], NULL), 0);
        double error = error_of(&world, rows[i].of);
        CU_ASSERT(error >= rows[i].least && error <= rows[i].most);
        if (error < rows[i].least || error > rows[i].most)
            printf("\nrow %zu: %g\n", i, error);
        arena_free(&world.arena);
    }
}

static void test_nothing_known(void)
{
    struct world world;
    open_world(&world, volume, 2, SM_COUNT);
    world.expected[0] = world.expected[SIZES - 1] = 1;
    CU_ASSERT_EQUAL(fit_parts_expect(&world.table, world.blocks[0], 1, NULL, world.all, SIZES, world.expected, NULL),
                    0);
    CU_ASSERT(world.expected[0] == 0 && world.expected[SIZES - 1] == 0);
    CU_ASSERT_EQUAL(fit_parts_expect(&world.table, world.blocks[0], 0, NULL, world.all, 0, world.expected, NULL), 0);
    CU_ASSERT(world.expected[0] == 0);
}

/* One time is the sum everywhere, in proportion to what there is of work. */
static void test_one_time(void)
{
    struct world world;
    open_world(&world, volume, 2, SM_COUNT);
    CU_ASSERT_EQUAL(fit_parts_expect(&world.table, world.blocks[0], 0, NULL, world.all, 1, world.expected, NULL), 0);
    CU_ASSERT_DOUBLE_EQUAL(world.expected[0], log(world.times[0][0]), 0.01);
    for (size_t s = 1; s < SIZES; s++)
        CU_ASSERT(isfinite(world.expected[s]));
}

CU_TestInfo tests_fit_parts[] = {{"what it explains", test_explains},
                                 {"flags", test_flags},
                                 {"nothing known", test_nothing_known},
                                 {"one time", test_one_time},
                                 CU_TEST_INFO_NULL};
