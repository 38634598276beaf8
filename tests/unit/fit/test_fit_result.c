/* The row of a fit over sizes. */
#include "../session/session_world.h"
#include "fit/fit_run.h"

/* The row names the configuration that most sizes choose. */
static void makes_a_row(void)
{
    static const char text[] =
        "fit 1; size N 64 4096; take A=1 B=1 C=x; take A=2 B=1 C=x; take A=4 B=1 C=x; order 1 0 2;";
    static const struct {
        size_t rules[3];
        const char *configuration;
    } rows[] = {{{2, 3, 1}, "A=2 B=1 C=x"}, {{4, 1, 1}, "A=1 B=1 C=x"}, {{2, 2, 3}, "A=4 B=1 C=x"}};
    struct session_world world;
    struct fit_result result = {0};
    struct size_fit fit;
    struct arena arena = {0};
    session_world_open(&world);
    world.request.max_evals = 4;
    const struct fit_request request = {.session = &world.request, .over = "N=64..4096", .sizes = 2};
    CU_ASSERT_EQUAL_FATAL(fit_run(&request, &result, &world.error), 0);
    CU_ASSERT_EQUAL_FATAL(size_fit_parse(&arena, text, &fit, &world.error), 0);
    const struct fit made = result.fit;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct best row = {0};
        result.fit.sizes = &fit;
        result.fit.rules = rows[i].rules;
        CU_ASSERT_EQUAL(fit_result_row(&result, &world.request, &row, &world.error), 0);
        CU_ASSERT_STRING_EQUAL(row.configuration, rows[i].configuration);
        CU_ASSERT_PTR_NOT_NULL_FATAL(row.fit);
        CU_ASSERT_STRING_EQUAL(row.fit, text);
        CU_ASSERT_STRING_EQUAL(row.provenance.problem, "N=64..4096");
    }
    result.fit = made;
    arena_free(&arena);
    fit_result_free(&result);
    session_world_close(&world);
}

CU_TestInfo tests_fit_result[] = {{"makes a row", makes_a_row}, CU_TEST_INFO_NULL};
