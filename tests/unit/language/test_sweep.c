/* Lists of problem sizes: the runs they request, and invalid ones. */
#include "language/sweep.h"
#include "support.h"

static void runs(void)
{
    static const struct {
        const char *defines[3];
        size_t count;
        const char *runs;
    } rows[] = {
        {{NULL}, 0, ";"},
        {{"N=1"}, 1, "N=1 ;"},
        {{"N=1,2,3"}, 1, "N=1 ;N=2 ;N=3 ;"},
        {{"N=1,2", "M=7", "K=3,4"}, 3, "N=1 M=7 K=3 ;N=1 M=7 K=4 ;N=2 M=7 K=3 ;N=2 M=7 K=4 ;"},
        {{"N=min(1,2),max(3, (4,5)),6"}, 1, "N=min(1,2) ;N=max(3, (4,5)) ;N=6 ;"},
        {{"N=1,,2"}, 1, "N=1 ;N= ;N=2 ;"},
        {{"N=)1,2"}, 1, "N=)1 ;N=2 ;"},
        {{"N=(1,2"}, 1, "N=(1,2 ;"},
        {{"N,M"}, 1, "N,M ;"},
        {{"=1,2"}, 1, "=1 ;=2 ;"},
        {{""}, 1, " ;"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sweep *sweep = NULL;
        struct error error = {0};
        struct text text = {0};
        CU_ASSERT_EQUAL_FATAL(sweep_make(&sweep, rows[i].defines, rows[i].count, &error), 0);
        for (size_t run = 0; run < sweep_runs(sweep); run++) {
            const char *const *defines = sweep_get(sweep, run);
            for (size_t d = 0; d < rows[i].count; d++)
                text_printf(&text, "%s ", defines[d]);
            text_append(&text, ";", 1);
        }
        expect_text("runs", text_string(&text), rows[i].runs);
        text_free(&text);
        sweep_free(sweep);
    }
}

static void too_many(void)
{
    struct text list = {0};
    struct sweep *sweep = NULL;
    struct error error = {0};
    text_printf(&list, "N=0");
    for (int i = 1; i < 64; i++)
        text_printf(&list, ",%d", i);
    const char *const most[] = {text_string(&list), text_string(&list), "M=1,2"};
    CU_ASSERT_EQUAL(sweep_make(&sweep, most, 2, &error), 0);
    CU_ASSERT_EQUAL(sweep_runs(sweep), SWEEP_RUNS_MAX);
    sweep_free(sweep);
    CU_ASSERT_EQUAL(sweep_make(&sweep, most, 3, &error), ERROR_USAGE);
    expect_text("too many", error.message, "-D: the lists of values request more than 4096 runs");
    CU_ASSERT_PTR_NULL(sweep);
    text_free(&list);
}

/* Wrong sizes in any list are found before the first run. */
static void checks(void)
{
    static const struct {
        const char *defines[3];
        size_t count;
        const char *message;
    } rows[] = {
        {{NULL}, 0, ""},
        {{"N=1"}, 1, ""},
        {{"N=1,2,3", "M=1,2,3", "X=0.5,1"}, 3, ""},
        {{"N=1,2,1"}, 1, "-D N=1: the list has this value twice"},
        {{"N=1,2,min(2,3)"}, 1, "-D N=min(2,3): the list has this value twice"},
        {{"X=0.5,1.5,2,1.5"}, 1, "-D X=1.5: the list has this value twice"},
        {{"M=1,2", "N=4,4"}, 2, "-D N=4: the list has this value twice"},
        {{"N=1", "N=2"}, 2, "-D N=2: the problem size is given twice"},
        {{"M=1", "X=2", "M=1"}, 3, "-D M=1: the problem size is given twice"},
        {{"K=1", "N=2"}, 2, "-D K=1: the space has no problem size of that name"},
        {{"N=2", "K=1,1"}, 2, "-D K=1: the space has no problem size of that name"},
        {{"N=2,red"}, 1, "-D N=red: unknown name 'red'"},
        {{"N"}, 1, "-D N: expected NAME=VALUE"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sweep *sweep = NULL;
        struct error error = {0};
        struct space *space =
            parsed(SPACE_HEAD SPACE_SHAPE "problem N = 3\nproblem M = 4\nproblem X = 2.5\nparam A = 1\n", "");
        CU_ASSERT_EQUAL_FATAL(sweep_make(&sweep, rows[i].defines, rows[i].count, &error), 0);
        CU_ASSERT_EQUAL(sweep_defines(sweep), rows[i].count);
        CU_ASSERT_EQUAL(sweep_check(sweep, space, &error), rows[i].message[0] ? ERROR_USAGE : 0);
        expect_text("message", error.message, rows[i].message);
        sweep_free(sweep);
        space_free(space);
    }
    sweep_free(NULL);
}

CU_TestInfo tests_sweep[] = {{"runs", runs}, {"too many", too_many}, {"checks", checks}, CU_TEST_INFO_NULL};
