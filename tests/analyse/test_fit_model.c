/* What a model expects of sizes that were not measured, and by which scales. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "analyse/fit_model.h"
#include "base/random.h"

enum { SIZES = 90, LEARNED = 60, SPARSE = 9 };

static const char *const names[] = {"ROWS", "COLS", "FIXED"};
static const char *const texts[] = {"A=1", "A=2"};

/* A time in nanoseconds. */
typedef double landscape(int64_t rows, int64_t cols);

static double smooth(int64_t rows, int64_t cols)
{
    return 2000 + 3 * pow((double)rows, 0.8) * pow((double)cols, 0.9) / 100;
}

/* Odd rows are slower, those that begin on vectors faster. */
static double aligned(int64_t rows, int64_t cols)
{
    return smooth(rows, cols) * (cols % 8 == 0 ? 1 : cols % 4 == 0 ? 1.2 : cols % 2 == 0 ? 1.6 : 2.2);
}

static int64_t blocks_of(int64_t rows, int64_t cols)
{
    return (rows + 255) / 256 * ((cols + 255) / 256);
}

/* As many waves of blocks as there are. */
static double stairs(int64_t rows, int64_t cols)
{
    return 5000 * ceil((double)blocks_of(rows, cols) / 16);
}

/* What the last wave leaves idle where a multiprocessor holds four small blocks at once. */
static double crowded(int64_t rows, int64_t cols)
{
    double waves = (double)((rows + 63) / 64 * ((cols + 63) / 64)) / (4 * 16);
    return smooth(rows, cols) * ceil(waves) / fmax(waves, 0.5);
}

/* Short rows take another way than long ones. */
static double two_ways(int64_t rows, int64_t cols)
{
    return smooth(rows, cols) * (rows < 300 ? 1.7 : 1);
}

/* As many threads as a row has steps of 96, which are not those of any power of two. */
static double threads_of(int64_t rows, int64_t cols)
{
    return smooth(rows, cols) * (1 + (double)((cols / 96) % 4) / 4);
}

struct world {
    int64_t sizes[SIZES][3];
    double times[SIZES][2];
    struct fit_table table;
    size_t all[SIZES];
    struct arena arena;
    struct fit_model *model;
};

static void open_world(struct world *world, landscape *of, const char *const *blocks, const char *const *traits)
{
    struct random random;
    *world = (struct world){0};
    random_seed(&random, 3);
    for (size_t s = 0; s < SIZES; s++) {
        for (size_t n = 0; n < 2; n++)
            world->sizes[s][n] = (int64_t)(64 * pow(64, random_unit(&random)));
        world->sizes[s][1] = s % 3 ? world->sizes[s][1] & ~(int64_t)(s % 3 == 1 ? 7 : 3) : world->sizes[s][1];
        world->sizes[s][2] = 7;
        world->times[s][0] = of(world->sizes[s][0], world->sizes[s][1]);
        world->times[s][1] = s < SPARSE ? 100 : s % 2 ? FIT_FAILED : FIT_UNMEASURED;
        world->all[s] = s;
    }
    world->table = (struct fit_table){.name_count = 3,
                                      .size_count = SIZES,
                                      .configuration_count = 2,
                                      .names = names,
                                      .sizes = world->sizes[0],
                                      .configurations = texts,
                                      .times = world->times[0],
                                      .sm_count = 16,
                                      .blocks = blocks,
                                      .trait_count = traits ? 2 : 0,
                                      .traits = traits};
    CU_ASSERT_EQUAL_FATAL(fit_model_open(&world->arena, &world->table, &world->model, NULL), 0);
}

/* The mean error at the sizes that it does not learn from, of the logarithm. */
static double error_of(struct world *world, bool tunes)
{
    double expected[SIZES - LEARNED], sum = 0;
    if (tunes)
        CU_ASSERT_EQUAL_FATAL(fit_model_tune(world->model, (const size_t[]){0}, 1, world->all, LEARNED, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(
        fit_model_predict(world->model, 0, world->all, LEARNED, world->all + LEARNED, SIZES - LEARNED, expected, NULL),
        0);
    for (size_t s = LEARNED; s < SIZES; s++)
        sum += fabs(expected[s - LEARNED] - log(world->times[s][0]));
    return sum / (SIZES - LEARNED);
}

/* Without tuning, without the inputs that matter, and with both: the errors are those of an ordinary landscape. */
static void test_expects(void)
{
    static const char *const blocks[] = {"(ceildiv(ROWS, 256) * ceildiv(COLS, 256))", ""};
    static const char *const small[] = {"(ceildiv(ROWS, 64) * ceildiv(COLS, 64))", ""};
    static const char *const ways[] = {"", "", "(ROWS < 300)", ""}, *const others[] = {"", "(ROWS < 300)", "", "7"};
    static const char *const threads[] = {"((COLS / 96) % 4)", "", "", ""};
    static const struct {
        landscape *of;
        const char *const *blocks, *const *traits;
        bool tunes;
        double least, most;
    } rows[] = {
        {smooth, NULL, NULL, false, 0, 0.012},   {smooth, NULL, NULL, true, 0, 0.010},
        {aligned, NULL, NULL, true, 0, 0.04},    {stairs, NULL, NULL, true, 0.04, 10},
        {stairs, blocks, NULL, true, 0, 0.001},  {two_ways, NULL, NULL, true, 0.03, 10},
        {two_ways, NULL, ways, true, 0, 0.02},   {two_ways, NULL, others, true, 0.03, 10},
        {threads_of, NULL, NULL, true, 0.1, 10}, {threads_of, NULL, threads, true, 0, 0.05},
        {crowded, NULL, NULL, true, 0.05, 10},   {crowded, small, NULL, true, 0, 0.02},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct world world;
        open_world(&world, rows[i].of, rows[i].blocks, rows[i].traits);
        double error = error_of(&world, rows[i].tunes);
        CU_ASSERT(error >= rows[i].least && error <= rows[i].most);
        if (error < rows[i].least || error > rows[i].most)
            printf("\nrow %zu: %g\n", i, error);
        arena_free(&world.arena);
    }
}

/* At the sizes themselves it expects about what it learned, whatever the order of these. */
static void test_learned(void)
{
    struct world world;
    size_t turned[LEARNED];
    double expected[LEARNED], again[LEARNED];
    open_world(&world, aligned, NULL, NULL);
    for (size_t i = 0; i < LEARNED; i++)
        turned[i] = LEARNED - 1 - i;
    CU_ASSERT_EQUAL_FATAL(fit_model_predict(world.model, 0, world.all, LEARNED, world.all, LEARNED, expected, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(fit_model_predict(world.model, 0, turned, LEARNED, world.all, LEARNED, again, NULL), 0);
    for (size_t i = 0; i < LEARNED; i++) {
        CU_ASSERT_DOUBLE_EQUAL(expected[i], log(world.times[i][0]), 0.05);
        CU_ASSERT_DOUBLE_EQUAL(expected[i], again[i], 1e-6);
    }
    arena_free(&world.arena);
}

/* Times that are too few, and what has none; a number of blocks that cannot be read; more sizes than it learns from. */
static void test_limits(void)
{
    enum { MANY = FIT_MODEL_MOST + 50 };
    static int64_t sizes[MANY];
    static double times[MANY], expected[MANY];
    static size_t all[MANY];
    struct world world;
    struct error error = {0};
    open_world(&world, smooth, NULL, NULL);
    CU_ASSERT_EQUAL(fit_model_predict(world.model, 1, world.all, SIZES, world.all, SIZES, expected, NULL), 0);
    CU_ASSERT(isnan(expected[0]) && isnan(expected[SIZES - 1]));
    world.times[SPARSE][1] = 100;
    CU_ASSERT_EQUAL(fit_model_predict(world.model, 1, world.all, SIZES, world.all, SIZES, expected, NULL), 0);
    CU_ASSERT_DOUBLE_EQUAL(expected[SIZES - 1], log(100), 1e-3);
    world.table.blocks = (const char *const[]){"", "(ROWS *"};
    CU_ASSERT_EQUAL(fit_model_open(&world.arena, &world.table, &world.model, &error), ERROR_SYNTAX);
    world.table.blocks = NULL;
    world.table.trait_count = 1;
    world.table.traits = (const char *const[]){"", "(ROWS *"};
    CU_ASSERT_EQUAL(fit_model_open(&world.arena, &world.table, &world.model, &error), ERROR_SYNTAX);
    arena_free(&world.arena);

    struct arena arena = {0};
    struct fit_model *model;
    for (size_t s = 0; s < MANY; s++) {
        all[s] = s;
        sizes[s] = (int64_t)(64 + 10 * s);
        times[s] = smooth(sizes[s], 512);
    }
    const struct fit_table table = {.name_count = 1,
                                    .size_count = MANY,
                                    .configuration_count = 1,
                                    .names = names,
                                    .sizes = sizes,
                                    .configurations = texts,
                                    .times = times};
    CU_ASSERT_EQUAL_FATAL(fit_model_open(&arena, &table, &model, NULL), 0);
    CU_ASSERT_EQUAL(fit_model_predict(model, 0, all, MANY, all, MANY, expected, NULL), 0);
    for (size_t s = 0; s < MANY; s++)
        CU_ASSERT_DOUBLE_EQUAL(expected[s], log(times[s]), 0.01);
    arena_free(&arena);
}

CU_TestInfo tests_fit_model[] = {
    {"what it expects", test_expects}, {"what it learned", test_learned}, {"limits", test_limits}, CU_TEST_INFO_NULL};
