/* The nearest run; test_warm_start.c has the rules on rows of a database. */
#include "prior/nearest.h"

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

static struct provenance run_of(const char *device, int cc, const char *problem)
{
    struct provenance run = provenance_unknown();
    snprintf(run.device.name, sizeof run.device.name, "%s", device);
    run.device.cc = cc;
    run.kernel = "k";
    run.problem = problem;
    return run;
}

static void orders(void)
{
    const struct provenance now = run_of("H200", 90, "N=1000"),
                            runs[] = {run_of("A100", 80, "N=1000"), run_of("H100", 90, "N=2000"),
                                      run_of("H200", 90, "N=10"), run_of("A100", 80, "N=900"), run_of("H100", 90, "")};
    static const size_t expected[] = {2, 1, 4, 0, 3};
    struct nearest nearest;
    struct error error = {0};
    size_t run;
    CU_ASSERT_EQUAL_FATAL(nearest_open(&nearest, &now, 5, &error), 0);
    for (size_t i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(nearest_add(&nearest, &runs[i], &error), 0);
    for (size_t i = 0; i < 5; i++) {
        CU_ASSERT(nearest_take(&nearest, &run));
        CU_ASSERT_EQUAL(run, expected[i]);
    }
    CU_ASSERT_FALSE(nearest_take(&nearest, &run));
    nearest_close(&nearest);
}

/* Another device, size or compiler makes another search. */
static void knows_the_same(void)
{
    struct provenance now = run_of("H200", 90, "N=1000"), other = now;
    CU_ASSERT(nearest_is_same(&other, &now));
    other.nvrtc = "12.9";
    CU_ASSERT_FALSE(nearest_is_same(&other, &now));
    other = run_of("H200", 90, "N=1001");
    CU_ASSERT_FALSE(nearest_is_same(&other, &now));
    other = run_of("H100", 90, "N=1000");
    CU_ASSERT_FALSE(nearest_is_same(&other, &now));
}

CU_TestInfo tests_nearest[] = {{"orders", orders}, {"knows the same", knows_the_same}, CU_TEST_INFO_NULL};
