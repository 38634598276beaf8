/* Sizes next to the measured ones. */
#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "fit/fit_variants.h"

#define V FIT_INVALID

static const char *const names[] = {"M", "N", "FIXED"};
static const char *const configurations[] = {"VEC=1", "VEC=2", "VEC=4"};
static const char *const conditions[] = {"", "((N % 2) == 0)", "((N % 4) == 0)"};

static struct fit_table table_of(const int64_t *sizes, const double *times, size_t count)
{
    return (struct fit_table){.name_count = 3,
                              .size_count = count,
                              .configuration_count = 3,
                              .names = names,
                              .sizes = sizes,
                              .configurations = configurations,
                              .conditions = conditions,
                              .times = times};
}

/* A multiple of four has a variant for multiples of two, and one for odd sizes. An odd size has none, since valid
 * configurations of its neighbours were not measured there. Times are those of the measured size. */
static void makes_variants(void)
{
    static const int64_t sizes[][3] = {{8, 64, 5}, {9, 33, 5}, {8, 62, 5}};
    static const double times[][3] = {{3, 2, 1}, {7, V, V}, {6, INFINITY, V}};
    static const struct {
        size_t origin;
        int64_t n;
        double times[3];
    } expected[] = {{0, 65, {3, V, V}}, {0, 66, {3, 2, V}}, {2, 63, {6, V, V}}};
    struct arena arena = {0};
    struct fit_table table = table_of(sizes[0], times[0], 3), with;
    const size_t *origins;
    CU_ASSERT_EQUAL_FATAL(fit_variants_make(&arena, &table, &with, &origins, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(with.size_count, 6);
    CU_ASSERT_EQUAL(memcmp(with.sizes, sizes, sizeof sizes), 0);
    CU_ASSERT_EQUAL(memcmp(with.times, times, sizeof times), 0);
    for (size_t s = 0; s < 3; s++)
        CU_ASSERT_EQUAL(origins[s], s);
    for (size_t i = 0; i < 3; i++) {
        const int64_t *variant = with.sizes + (3 + i) * 3;
        CU_ASSERT_EQUAL(origins[3 + i], expected[i].origin);
        CU_ASSERT_EQUAL(variant[1], expected[i].n);
        CU_ASSERT_EQUAL(variant[2], 5);
        CU_ASSERT_EQUAL(memcmp(with.times + (3 + i) * 3, expected[i].times, sizeof expected[i].times), 0);
    }
    table.conditions = NULL;
    CU_ASSERT_EQUAL_FATAL(fit_variants_make(&arena, &table, &with, &origins, NULL), 0);
    CU_ASSERT_EQUAL(with.size_count, 3);
    arena_free(&arena);
}

/* Only configurations with times at probed sizes need a validity check next to a probed size. Probed sizes do not
 * determine the varying sizes. */
static void makes_variants_of_probed(void)
{
    static const int64_t sizes[][3] = {{8, 64, 5}, {8, 66, 7}, {9, 68, 5}};
    static const double times[][3] = {{3, 2, 1}, {3, NAN, V}, {6, NAN, 2}};
    static const bool probed[] = {false, true, true};
    static const struct {
        size_t origin;
        int64_t m, n, fixed;
        double first;
    } expected[] = {{2, 9, 69, 5, 6}};
    struct arena arena = {0};
    struct fit_table table = table_of(sizes[0], times[0], 3), with;
    const size_t *origins;
    table.probed = probed;
    CU_ASSERT_EQUAL_FATAL(fit_variants_make(&arena, &table, &with, &origins, NULL), 0);
    CU_ASSERT_EQUAL(with.size_count, 3); /* one searched size: no size varies */
    static const int64_t more[][3] = {{8, 64, 5}, {8, 66, 7}, {9, 68, 5}, {8, 35, 5}};
    static const double times_more[][3] = {{3, 2, 1}, {3, NAN, V}, {6, NAN, 2}, {4, V, V}};
    static const bool probed_more[] = {false, true, true, false};
    table = table_of(more[0], times_more[0], 4);
    table.probed = probed_more;
    CU_ASSERT_EQUAL_FATAL(fit_variants_make(&arena, &table, &with, &origins, NULL), 0);
    /* Two of the searched multiple of four; of the probed one, those without vectors of four: 69, since 70 is the
     * same. */
    CU_ASSERT_EQUAL_FATAL(with.size_count, 4 + 2 + 1);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const int64_t *variant = with.sizes + (6 + i) * 3;
        CU_ASSERT_EQUAL(origins[6 + i], expected[i].origin);
        CU_ASSERT_EQUAL(variant[0], expected[i].m);
        CU_ASSERT_EQUAL(variant[1], expected[i].n);
        CU_ASSERT_EQUAL(variant[2], expected[i].fixed);
        CU_ASSERT_EQUAL(with.times[(6 + i) * 3], expected[i].first);
        CU_ASSERT_EQUAL(with.times[(6 + i) * 3 + 2], V);
    }
    arena_free(&arena);
}

static void refuses(void)
{
    static const int64_t sizes[][3] = {{8, 64, 5}, {9, 33, 5}};
    static const double times[6] = {3, 2, 1, 7, V, V};
    static const char *const broken[] = {"", "(N %", ""};
    struct arena arena = {0};
    struct fit_table table = table_of(sizes[0], times, 2), with;
    const size_t *origins;
    struct error error = {0};
    table.conditions = broken;
    CU_ASSERT_EQUAL(fit_variants_make(&arena, &table, &with, &origins, &error), ERROR_SYNTAX);
    arena_free(&arena);
}

/* Steps differ only in the varying sizes: together if there are few, one at a time if there are many. */
static void steps(void)
{
    static const struct {
        size_t names, varying, count;
    } rows[] = {{1, 0, 1}, {1, 1, 3}, {3, 2, 9}, {4, 4, 81}, {6, 5, 11}, {16, 16, 33}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t sizes[2][SIZE_FIT_SIZES_MAX] = {{0}}, seen[100][SIZE_FIT_SIZES_MAX] = {{0}};
        size_t names_count = rows[i].names;
        for (size_t n = 0; n < names_count; n++) {
            sizes[0][n] = 64;
            ((int64_t *)sizes)[names_count + n] = n < rows[i].varying ? 65 : 64;
        }
        const struct fit_steps made = fit_steps_of(sizes[0], NULL, 2, names_count);
        CU_ASSERT_EQUAL_FATAL(fit_steps_count(&made), rows[i].count);
        for (size_t step = 0; step < rows[i].count; step++) {
            int64_t away = 0;
            fit_step(&made, step, sizes[0], seen[step]);
            for (size_t n = 0; n < names_count; n++) {
                int64_t by = seen[step][n] - 64;
                CU_ASSERT(by >= 0 && by <= (n < rows[i].varying ? 2 : 0));
                away += by;
            }
            CU_ASSERT_EQUAL(away == 0, step == 0);
            CU_ASSERT(rows[i].varying <= 4 || away <= 2);
            for (size_t before = 0; before < step; before++)
                CU_ASSERT(memcmp(seen[before], seen[step], sizeof seen[step]) != 0);
        }
    }
    const struct fit_steps one = {.name_count = 1, .varies = {true}};
    int64_t most = INT64_MAX, to;
    fit_step(&one, 2, &most, &to);
    CU_ASSERT_EQUAL(to, INT64_MAX);
}

CU_TestInfo tests_fit_variants[] = {{"variants", makes_variants},
                                    {"variants of probed sizes", makes_variants_of_probed},
                                    {"refuses", refuses},
                                    {"steps", steps},
                                    CU_TEST_INFO_NULL};
