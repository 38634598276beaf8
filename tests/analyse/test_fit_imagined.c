/* Imagined sizes of a table, and the losses there. */
#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "analyse/fit_imagined.h"

enum { MEASURED = 24, IMAGINED = 6, WIDTH = 5 };

static const char *const names[] = {"N"};
static const char *const texts[] = {"A=1", "A=2", "A=4", "A=8", "A=16"};
static const char *const conditions[] = {"", "((N % 2) == 0)", "", "", ""};
static const int64_t imagined[IMAGINED] = {70, 1501, 100, 2000, 4000, 90};

/* The first of two crosses the second at 1000; the third fails above 1000; the fourth has a few times, the fifth none.
 */
static void make_times(int64_t size, size_t number, double *times)
{
    times[0] = 1000 + (double)size;
    times[1] = size % 2 ? FIT_INVALID : 1500 + 0.5 * (double)size;
    times[2] = size > 1000 ? FIT_FAILED : 500 + (double)size;
    times[3] = number < 4 ? times[0] * 2 : FIT_UNMEASURED;
    times[4] = FIT_UNMEASURED;
}

struct world {
    int64_t sizes[MEASURED];
    double times[MEASURED][WIDTH], of[MEASURED][WIDTH];
    size_t all[MEASURED];
    struct fit_table table;
    struct arena arena;
};

static void open_world(struct world *world)
{
    *world = (struct world){0};
    for (size_t s = 0; s < MEASURED; s++) {
        world->all[s] = s;
        world->sizes[s] = (int64_t)(64 * pow(1.2, (double)s)) / 2 * 2;
        make_times(world->sizes[s], s, world->times[s]);
        double least = INFINITY;
        for (size_t c = 0; c < WIDTH; c++)
            least = isfinite(world->times[s][c]) ? fmin(least, world->times[s][c]) : least;
        for (size_t c = 0; c < WIDTH; c++)
            world->of[s][c] = isfinite(world->times[s][c]) ? log(world->times[s][c] / least) : world->times[s][c];
    }
    world->table = (struct fit_table){.name_count = 1,
                                      .size_count = MEASURED,
                                      .configuration_count = WIDTH,
                                      .names = names,
                                      .sizes = world->sizes,
                                      .configurations = texts,
                                      .conditions = conditions,
                                      .times = world->times[0],
                                      .imagined_count = IMAGINED,
                                      .imagined = imagined};
}

/* As many as the measured ones are enough for; what is not valid is known. */
static void test_append(void)
{
    static const struct {
        size_t measured, appended;
    } rows[] = {{0, 0}, {11, 0}, {12, IMAGINED}, {MEASURED, IMAGINED}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct world world;
        open_world(&world);
        CU_ASSERT_EQUAL_FATAL(fit_imagined_append(&world.arena, &world.table, rows[i].measured, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(world.table.size_count, MEASURED + rows[i].appended);
        CU_ASSERT_EQUAL(memcmp(world.table.times, world.times, sizeof world.times), 0);
        for (size_t s = MEASURED; s < world.table.size_count; s++) {
            const double *times = world.table.times + s * WIDTH;
            CU_ASSERT_EQUAL(world.table.sizes[s], imagined[s - MEASURED]);
            CU_ASSERT_EQUAL(times[1] == FIT_INVALID, world.table.sizes[s] % 2 != 0);
            CU_ASSERT(isnan(times[0]) && isnan(times[4]));
        }
        arena_free(&world.arena);
    }
}

static void test_condition(void)
{
    struct world world;
    struct error error = {0};
    open_world(&world);
    world.table.conditions = (const char *const[]){"", "", "(N", "", ""};
    CU_ASSERT_EQUAL(fit_imagined_append(&world.arena, &world.table, MEASURED, &error), ERROR_SYNTAX);
    arena_free(&world.arena);
    error_clear(&error);
    open_world(&world);
    world.table.conditions = NULL;
    CU_ASSERT_EQUAL(fit_imagined_append(&world.arena, &world.table, MEASURED, &error), 0);
    CU_ASSERT(isnan(world.table.times[(MEASURED + 1) * WIDTH + 1]));
    arena_free(&world.arena);
}

static void test_losses(void)
{
    struct world world;
    struct fit_model *model;
    size_t chosen[] = {0, 1, 2, 3, 4};
    const struct fit_cover cover = {.count = WIDTH, .chosen = chosen};
    open_world(&world);
    struct fit_losses losses = {MEASURED, WIDTH, world.of[0], NULL};
    CU_ASSERT_EQUAL_FATAL(fit_imagined_append(&world.arena, &world.table, MEASURED, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(fit_model_open(&world.arena, &world.table, &model, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(fit_model_tune(model, chosen, 2, world.all, MEASURED, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(
        fit_imagined_losses(&world.arena, model, &world.table, MEASURED, &cover, world.all, MEASURED, &losses, NULL),
        0);
    CU_ASSERT_EQUAL_FATAL(losses.size_count, MEASURED + IMAGINED);
    CU_ASSERT_EQUAL(memcmp(losses.of, world.of, sizeof world.of), 0);
    double weight_measured = 0, weight_imagined = 0;
    for (size_t s = 0; s < MEASURED; s++)
        weight_measured += losses.weights[s];
    for (size_t i = 0; i < IMAGINED; i++) {
        const double *of = losses.of + (MEASURED + i) * WIDTH;
        double times[WIDTH], least = INFINITY;
        make_times(imagined[i], MEASURED, times);
        for (size_t c = 0; c < 3; c++)
            least = isfinite(times[c]) ? fmin(least, times[c]) : least;
        for (size_t c = 0; c < 3; c++)
            if (isfinite(times[c]))
                CU_ASSERT_DOUBLE_EQUAL(of[c], log(times[c] / least), 0.03);
        CU_ASSERT_EQUAL(of[1] == FIT_INVALID, imagined[i] % 2 != 0);
        CU_ASSERT_EQUAL(of[2] == FIT_FAILED, imagined[i] > 1000);
        /* Of the few times, what they lost: twice the first, which loses a little to the third. */
        CU_ASSERT(of[3] > log(2) && of[3] < log(4));
        CU_ASSERT_DOUBLE_EQUAL(of[3], losses.of[MEASURED * WIDTH + 3], 1e-12);
        CU_ASSERT(isnan(of[4]));
        weight_imagined += losses.weights[MEASURED + i];
    }
    CU_ASSERT_DOUBLE_EQUAL(weight_measured + weight_imagined, MEASURED, 1e-9);
    CU_ASSERT(weight_imagined > 4 * weight_measured);
    arena_free(&world.arena);
}

CU_TestInfo tests_fit_imagined[] = {
    {"sizes are appended", test_append}, {"conditions", test_condition}, {"losses", test_losses}, CU_TEST_INFO_NULL};
