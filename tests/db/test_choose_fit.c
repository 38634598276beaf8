/* What compilers of device code have: without the functions that host compilers know, results are the same. */
#include <stdint.h>

#include <CUnit/Basic.h>

#define __CUDACC__ 1
#include "db/choose_fit.h"

static void test_products(void)
{
    static const struct {
        int64_t a, b, product;
    } cases[] = {
        {0, INT64_MIN, 0},
        {INT64_MAX, 0, 0},
        {3, -5, -15},
        {-3, -5, 15},
        {INT64_MAX, 1, INT64_MAX},
        {INT64_MAX, -1, -INT64_MAX},
        {INT64_MIN, 1, INT64_MIN},
        {INT64_MIN, -1, INT64_MAX},
        {INT64_MAX, 2, INT64_MAX},
        {INT64_MAX, -2, INT64_MIN},
        {INT64_MIN, INT64_MIN, INT64_MAX},
        {(int64_t)1 << 31, (int64_t)1 << 31, (int64_t)1 << 62},
        {(int64_t)1 << 32, (int64_t)1 << 30, (int64_t)1 << 62},
        {(int64_t)1 << 32, (int64_t)1 << 31, INT64_MAX},
        {-((int64_t)1 << 32), (int64_t)1 << 31, INT64_MIN},
        {(int64_t)1 << 62, 2, INT64_MAX},
        {(int64_t)1 << 33, (int64_t)1 << 33, INT64_MAX},
        {3037000499, 3037000499, 9223372030926249001},
        {3037000500, 3037000500, INT64_MAX},
        {-3037000500, 3037000500, INT64_MIN},
        {4294967295, 2147483648, 9223372034707292160},
        {4294967295, 2147483649, INT64_MAX},
        {6148914691236517205, 1, 6148914691236517205},
        {3074457345618258602, 3, 9223372036854775806},
        {3074457345618258603, 3, INT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CU_ASSERT_EQUAL(choose_times(cases[i].a, cases[i].b), cases[i].product);
        CU_ASSERT_EQUAL(choose_times(cases[i].b, cases[i].a), cases[i].product);
    }
}

static void test_logarithms(void)
{
    for (int power = 0; power < 63; power++) {
        const int64_t number = (int64_t)1 << power;
        CU_ASSERT_EQUAL(choose_log2(number, 1), power);
        CU_ASSERT_EQUAL(choose_log2(number, 64), 64 * power);
        CU_ASSERT_EQUAL(choose_log2(number | number >> 1, 64), power ? 64 * power + 32 : 0);
        CU_ASSERT_EQUAL(choose_low_zeros(number, (int64_t)1 << 62), power);
        CU_ASSERT_EQUAL(choose_low_zeros(number | INT64_MIN, number), power);
        if (power < 57)
            CU_ASSERT_EQUAL(choose_small_log2(number | number >> 1), power ? 64 * power + 32 : 0);
    }
}

CU_TestInfo tests_choose_fit[] = {{"products", test_products}, {"logarithms", test_logarithms}, CU_TEST_INFO_NULL};
