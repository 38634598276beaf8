#include "support.h"

#include <math.h>

static const char text[] = SPACE_HEAD SPACE_SHAPE "problem N = 100\nparam STEPS = 1, 2, 4\nparam TILE = 8, 16\n";

static struct space *space_with(const char *statements)
{
    char whole[512];
    snprintf(whole, sizeof whole, "%s%s", text, statements);
    struct space *space = parsed(whole, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(space);
    return space;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Amounts of a configuration: NaN without a statement, or if they vary with the configuration. */
static void amounts_of_configurations(void)
{
    static const struct {
        const char *statements;
        struct work_amounts all, second; /* of all configurations; of STEPS=2 TILE=16 */
    } rows[] = {
        {"", {NAN, NAN, NAN}, {NAN, NAN, NAN}},
        {"bytes 8 * N\nflops 3.5 * N\n", {NAN, 800, 350}, {NAN, 800, 350}},
        {"work N\nbytes 8 * N\n", {100, 800, NAN}, {100, 800, NAN}},
        {"work STEPS * N\nbytes 8 * N\nflops STEPS * N * 5\n", {NAN, 800, NAN}, {200, 800, 1000}},
        {"bytes N * (TILE + 2) / TILE\nwork 0.5 * STEPS\n", {NAN, NAN, NAN}, {1, 112, NAN}},
        {"let DONE = STEPS * TILE\nwork DONE * warp\n", {NAN, NAN, NAN}, {1024, NAN, NAN}},
    };
    const uint32_t second[] = {1, 1};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = space_with(rows[i].statements);
        struct error error = {0};
        struct work_amounts got[2];
        const struct device_limits limits = h200_limits();
        CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, &limits, &error), 0);
        CU_ASSERT_EQUAL(space_work(space, NULL, &got[0], &error), 0);
        CU_ASSERT_EQUAL(space_work(space, second, &got[1], &error), 0);
        for (size_t k = 0; k < 2; k++) {
            const struct work_amounts *expected = k ? &rows[i].second : &rows[i].all;
            CU_ASSERT(same(got[k].work, expected->work) && same(got[k].bytes, expected->bytes) &&
                      same(got[k].flops, expected->flops));
        }
        CU_ASSERT(same(space->bytes, got[0].bytes) && same(space->flops, got[0].flops));
        space_free(space);
    }
}

/* Errors of all configurations appear when the sizes are fixed; otherwise the error names the configuration. */
static void where_errors_show(void)
{
    static const struct {
        const char *statements, *message;
        bool at_binding;
    } rows[] = {{"work N - 100\n", "the work must be more than 0, not 0, in work", true},
                {"work STEPS - 2\n", "the work must be more than 0, not 0, in work at STEPS=2 TILE=16", false},
                {"work 1\nflops 2 - STEPS\n",
                 "there must be more than 0 operations, not 0, in flops at STEPS=2 TILE=16", false},
                {"work 1e-31\n", "the amount must be from 1e-30 to 1e+30, not 1e-31, in work", true}};
    const uint32_t second[] = {1, 1};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = space_with(rows[i].statements);
        struct error error = {0};
        struct work_amounts amounts;
        CU_ASSERT_EQUAL(space_bind(space, NULL, 0, NULL, &error) != 0, rows[i].at_binding);
        if (!rows[i].at_binding)
            CU_ASSERT_EQUAL(space_work(space, second, &amounts, &error), ERROR_VALUE);
        CU_ASSERT_STRING_EQUAL(error.message, rows[i].message);
        space_free(space);
    }
}

CU_TestInfo tests_work[] = {{"amounts of configurations", amounts_of_configurations},
                            {"where errors show", where_errors_show},
                            CU_TEST_INFO_NULL};
