#include "base/float.h"

#include <float.h>
#include <math.h>

#include <CUnit/Basic.h>

/* Compares both exponentials with the library's, from 0 to the end of normal results. */
static void exponentials(void)
{
    double worst = 0, worst_double = 0;
    CU_ASSERT_EQUAL(float_exp(0), 1);
    CU_ASSERT_EQUAL(float_exp_double(0), 1);
    CU_ASSERT_EQUAL(float_exp_double(-1e-300), 1);
    for (int k = 0; k <= 200000; k++) {
        double x = -708.0 * k / 200000, exact = exp(x);
        worst_double = fmax(worst_double, fabs(float_exp_double(x) - exact) / exact);
        float narrow = (float)x;
        if (narrow > -87)
            worst = fmax(worst, fabs((double)float_exp(narrow) - exp((double)narrow)) / exp((double)narrow));
    }
    CU_ASSERT(worst < 2 * FLT_EPSILON);
    CU_ASSERT(worst_double < 2 * DBL_EPSILON);
    CU_ASSERT_EQUAL(float_exp(-100), float_exp(-87));
    CU_ASSERT_EQUAL(float_exp_double(-1e300), float_exp_double(-708));
    CU_ASSERT_EQUAL(float_exp_double(-INFINITY), float_exp_double(-708));
}

static void sum(void)
{
    static const double sums[FLOAT_LANES] = {1, 2, 4, 8, 16, 32, 64, 128};
    CU_ASSERT_EQUAL(float_sum(sums), 255);
}

CU_TestInfo tests_float[] = {{"exponentials", exponentials}, {"sum", sum}, CU_TEST_INFO_NULL};
