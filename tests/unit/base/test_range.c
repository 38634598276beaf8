#include "base/range.h"

#include <math.h>

#include <CUnit/Basic.h>

static void bounds(void)
{
    static const struct {
        enum range range;
        double value;
        bool has;
    } cases[] = {{RANGE_SHARE, 0, true},
                 {RANGE_SHARE, 1, true},
                 {RANGE_SHARE, 1.0000001, false},
                 {RANGE_SHARE, -1e-300, false},
                 {RANGE_SHARE, NAN, false},
                 {RANGE_COUNTED_SHARE, 1.25, true},
                 {RANGE_COUNTED_SHARE, 1.26, false},
                 {RANGE_AMOUNT, 0, true},
                 {RANGE_AMOUNT, 1e30, true},
                 {RANGE_AMOUNT, INFINITY, false},
                 {RANGE_ABOVE_ZERO, 0, false},
                 {RANGE_ABOVE_ZERO, 1e-30, true},
                 {RANGE_AT_LEAST_1, 0.99, false},
                 {RANGE_AT_LEAST_1, 1.5, true},
                 {RANGE_BLOCK_THREADS, 1024, true},
                 {RANGE_BLOCK_THREADS, 1025, false},
                 {RANGE_BLOCK_THREADS, 1.5, false},
                 {RANGE_FLAG, 1, true},
                 {RANGE_FLAG, 0.5, false},
                 {RANGE_WHOLE, 9223372036854775807.0, true},
                 {RANGE_WHOLE, -1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT_EQUAL(range_has(cases[i].range, cases[i].value), cases[i].has);
    CU_ASSERT_STRING_EQUAL(range_expected(RANGE_SHARE), "a number from 0 to 1");
}

static void intervals(void)
{
    struct error error = {0};
    CU_ASSERT_EQUAL(range_check_interval(1, 1, &error), 0);
    CU_ASSERT_EQUAL(range_check_interval(NAN, 1, &error), 0);
    CU_ASSERT_EQUAL(range_check_interval(2, NAN, &error), 0);
    CU_ASSERT_EQUAL(range_check_interval(2, 1, &error), ERROR_DATA);
    CU_ASSERT_STRING_EQUAL(error.message, "the interval begins at 2 and ends at 1");
}

CU_TestInfo tests_range[] = {{"bounds", bounds}, {"intervals", intervals}, CU_TEST_INFO_NULL};
