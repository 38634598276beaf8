/* Results are the same on compilers of device code, which lack the built-in functions of host compilers. */
#include <stdint.h>

#include <CUnit/Basic.h>

#define __CUDACC__ 1
#include "../base/random_expression.h"
#include "sizes/choose_fit.h"

/* The functions agree with saturating operations of conditions. */
static void test_operations(void)
{
    static const struct {
        enum operation operation;
        long long (*function)(long long a, long long b);
    } rows[] = {{OP_ADD, choose_plus},
                {OP_SUBTRACT, choose_minus},
                {OP_MULTIPLY, choose_times},
                {OP_DIVIDE, choose_quotient},
                {OP_REMAINDER, choose_remainder},
                {OP_CEILDIV, choose_ceildiv},
                {OP_MIN, choose_min},
                {OP_MAX, choose_max},
                {OP_GCD, choose_gcd},
                {OP_LCM, choose_lcm},
                {OP_SHIFT_LEFT, choose_shift_left},
                {OP_SHIFT_RIGHT, choose_shift_right},
                {OP_BIT_AND, choose_bit_and},
                {OP_BIT_OR, choose_bit_or},
                {OP_BIT_XOR, choose_bit_xor},
                {OP_EQUAL, choose_equal},
                {OP_NOT_EQUAL, choose_different},
                {OP_LESS, choose_less},
                {OP_LESS_EQUAL, choose_at_most},
                {OP_GREATER, choose_greater},
                {OP_GREATER_EQUAL, choose_at_least},
                {OP_AND, choose_and},
                {OP_OR, choose_or}};
    enum { ROWS = sizeof rows / sizeof *rows };
    struct random random;
    random_seed(&random, 2);
    for (size_t i = 0; i < 2000 * ROWS; i++) {
        const struct value a = value_integer(draw_integer(&random)), b = value_integer(draw_integer(&random));
        struct value value;
        CU_ASSERT_PTR_NULL(operation_apply(rows[i % ROWS].operation, OVERFLOW_SATURATES, &a, &b, NULL, &value));
        CU_ASSERT_EQUAL(value.integer, rows[i % ROWS].function(a.integer, b.integer));
    }
}

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

CU_TestInfo tests_choose_fit[] = {
    {"operations", test_operations}, {"products", test_products}, {"first", test_first}, CU_TEST_INFO_NULL};
