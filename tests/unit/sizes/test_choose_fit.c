/* Results are the same on compilers of device code, which lack the built-in functions of host compilers. */
#include <stdint.h>

#include <CUnit/Basic.h>

#define __CUDACC__ 1
#include "sizes/choose_fit.h"

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

/* A leaf takes the first allowed configuration of its list; lists continue in further integers. */
static void test_first(void)
{
    static const struct {
        unsigned long long list[3];
        int count;
        unsigned allowed;
        int taken;
    } cases[] = {
        {{2 | 0 << 5 | 31 << 10, 0, 0}, 3, ~0U, 2},
        {{2 | 0 << 5 | 31 << 10, 0, 0}, 3, ~4U, 0},
        {{2 | 0 << 5 | 31 << 10, 0, 0}, 3, 1U << 31, 31},
        {{2 | 0 << 5 | 31 << 10, 0, 0}, 2, 1U << 31, -1},
        {{2, 0, 0}, 0, ~0U, -1},
        {{0, 7, 9}, 13, ~1U, 7},
        {{0, 0, 9}, 25, ~1U, 9},
        {{0, 0, 9}, 24, ~1U, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT_EQUAL(
            choose_first(cases[i].list[0], cases[i].list[1], cases[i].list[2], cases[i].count, cases[i].allowed),
            cases[i].taken);
}

CU_TestInfo tests_choose_fit[] = {{"products", test_products}, {"first", test_first}, CU_TEST_INFO_NULL};
