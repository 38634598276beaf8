/* Results of operations, and their text in errors. */
#include "base/operation.h"

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static void expect_text(const char *row, const char *text, const char *expected)
{
    if (strcmp(text, expected) != 0)
        fprintf(stderr, "\n%s: '%s' instead of '%s'", row, text, expected);
    CU_ASSERT_STRING_EQUAL(text, expected);
}

static struct value value(const char *text)
{
    struct value value = {0};
    CU_ASSERT(value_read(text, &value));
    return value;
}

/* expected: the value, or "!" and the fault; shown: the operation as errors show it. */
struct operator_row {
    enum operation operation;
    const char *a, *b; /* b NULL: unary */
    const char *expected, *shown;
};

static void expect_rows(const struct operator_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct operator_row *row = &rows[i];
        struct value a = value(row->a), b = value(row->b ? row->b : "0"), result = {0};
        const char *fault = operation_apply(row->operation, OVERFLOW_FAULTS, &a, &b, NULL, &result);
        char buffer[VALUE_TEXT_BYTES], shown[2 * VALUE_TEXT_BYTES + 16];
        CU_ASSERT_EQUAL(result.kind == VALUE_FAULT, fault != NULL);
        if (fault)
            snprintf(buffer, sizeof buffer, "!%s", fault);
        else
            value_text(&result, buffer, sizeof buffer);
        operation_text(row->operation, &a, &b, shown, sizeof shown);
        expect_text(row->shown, shown, row->shown);
        expect_text(row->shown, buffer, row->expected);
    }
}

#define LEAST     "-9223372036854775808"
#define MOST      "9223372036854775807"
#define OVERFLOW  "!overflow of a 64-bit integer"
#define ZERO      "!division by zero"
#define INTEGERS  "!the operator takes integers only"
#define WORD      "!a word can only be compared, with == or !="
#define SHIFT     "!a shift must be by 0 to 63 bits"
#define FINITE    "!the result is not a finite number"
#define LOGARITHM "!only positive numbers have a logarithm"

static void unary(void)
{
    static const struct operator_row rows[] = {{OP_NOT, "7", NULL, "0", "!7"},
                                               {OP_NOT, "0", NULL, "1", "!0"},
                                               {OP_NOT, "0.5", NULL, "0", "!0.5"},
                                               {OP_NOT, "red", NULL, WORD, "!red"},
                                               {OP_COMPLEMENT, "7", NULL, "-8", "~7"},
                                               {OP_COMPLEMENT, "2.5", NULL, INTEGERS, "~2.5"},
                                               {OP_NEGATE, "-7", NULL, "7", "-(-7)"},
                                               {OP_NEGATE, "2.5", NULL, "-2.5", "-2.5"},
                                               {OP_NEGATE, LEAST, NULL, OVERFLOW, "-(" LEAST ")"},
                                               {OP_ABS, "-7", NULL, "7", "abs(-7)"},
                                               {OP_ABS, "7", NULL, "7", "abs(7)"},
                                               {OP_ABS, "0", NULL, "0", "abs(0)"},
                                               {OP_ABS, "-2.5", NULL, "2.5", "abs(-2.5)"},
                                               {OP_ABS, LEAST, NULL, OVERFLOW, "abs(" LEAST ")"},
                                               {OP_LOG2, "8", NULL, "3", "log2(8)"},
                                               {OP_LOG2, "1", NULL, "0", "log2(1)"},
                                               {OP_LOG2, "6", NULL, "2.584962500721156", "log2(6)"},
                                               {OP_LOG2, "8.0", NULL, "3.0", "log2(8.0)"},
                                               {OP_LOG2, "0", NULL, LOGARITHM, "log2(0)"},
                                               {OP_LOG2, "-2.5", NULL, LOGARITHM, "log2(-2.5)"},
                                               {OP_IS_POW2, "64", NULL, "1", "is_pow2(64)"},
                                               {OP_IS_POW2, "1", NULL, "1", "is_pow2(1)"},
                                               {OP_IS_POW2, "6", NULL, "0", "is_pow2(6)"},
                                               {OP_IS_POW2, "0", NULL, "0", "is_pow2(0)"},
                                               {OP_IS_POW2, LEAST, NULL, "0", "is_pow2(" LEAST ")"},
                                               {OP_IS_POW2, "2.5", NULL, INTEGERS, "is_pow2(2.5)"}};
    expect_rows(rows, COUNT(rows));
}

static void integers(void)
{
    static const struct operator_row rows[] = {
        {OP_ADD, "7", "3", "10", "7 + 3"},
        {OP_ADD, MOST, "1", OVERFLOW, MOST " + 1"},
        {OP_SUBTRACT, "3", "7", "-4", "3 - 7"},
        {OP_SUBTRACT, LEAST, "1", OVERFLOW, LEAST " - 1"},
        {OP_MULTIPLY, "-7", "3", "-21", "-7 * 3"},
        {OP_MULTIPLY, LEAST, "2", OVERFLOW, LEAST " * 2"},
        {OP_DIVIDE, "-7", "3", "-2", "-7 / 3"},
        {OP_DIVIDE, "7", "-1", "-7", "7 / -1"},
        {OP_DIVIDE, LEAST, "-1", OVERFLOW, LEAST " / -1"},
        {OP_DIVIDE, "7", "0", ZERO, "7 / 0"},
        {OP_REMAINDER, "-7", "3", "-1", "-7 % 3"},
        {OP_REMAINDER, "7", "-3", "1", "7 % -3"},
        {OP_REMAINDER, LEAST, "-1", "0", LEAST " % -1"},
        {OP_REMAINDER, "7", "0", ZERO, "7 % 0"},
        {OP_SHIFT_LEFT, "1", "62", "4611686018427387904", "1 << 62"},
        {OP_SHIFT_LEFT, "1", "63", OVERFLOW, "1 << 63"},
        {OP_SHIFT_LEFT, "-1", "63", LEAST, "-1 << 63"},
        {OP_SHIFT_LEFT, "1", "64", SHIFT, "1 << 64"},
        {OP_SHIFT_LEFT, "1", "-1", SHIFT, "1 << -1"},
        {OP_SHIFT_RIGHT, "-8", "1", "-4", "-8 >> 1"},
        {OP_SHIFT_RIGHT, "-8", "63", "-1", "-8 >> 63"},
        {OP_SHIFT_RIGHT, "-8", "0", "-8", "-8 >> 0"},
        {OP_SHIFT_LEFT, "-8", "0", "-8", "-8 << 0"},
        {OP_SHIFT_RIGHT, "8", "64", SHIFT, "8 >> 64"},
        {OP_SHIFT_RIGHT, "8", "-1", SHIFT, "8 >> -1"},
        {OP_BIT_AND, "7", "5", "5", "7 & 5"},
        {OP_BIT_OR, "7", "8", "15", "7 | 8"},
        {OP_BIT_XOR, "7", "2", "5", "7 ^ 2"},
        {OP_MIN, "7", "-3", "-3", "min(7, -3)"},
        {OP_MIN, "-3", "7", "-3", "min(-3, 7)"},
        {OP_MAX, "7", "-3", "7", "max(7, -3)"},
        {OP_MAX, "-3", "7", "7", "max(-3, 7)"},
        {OP_CEILDIV, "7", "3", "3", "ceildiv(7, 3)"},
        {OP_CEILDIV, "6", "3", "2", "ceildiv(6, 3)"},
        {OP_CEILDIV, "-7", "3", "-2", "ceildiv(-7, 3)"},
        {OP_CEILDIV, "-7", "-3", "3", "ceildiv(-7, -3)"},
        {OP_CEILDIV, LEAST, "-1", OVERFLOW, "ceildiv(" LEAST ", -1)"},
        {OP_CEILDIV, "7", "0", ZERO, "ceildiv(7, 0)"},
        {OP_GCD, "12", "-18", "6", "gcd(12, -18)"},
        {OP_GCD, "0", "5", "5", "gcd(0, 5)"},
        {OP_GCD, "0", "0", "0", "gcd(0, 0)"},
        {OP_GCD, LEAST, "0", OVERFLOW, "gcd(" LEAST ", 0)"},
        {OP_LCM, "4", "-6", "12", "lcm(4, -6)"},
        {OP_LCM, "0", "5", "0", "lcm(0, 5)"},
        {OP_LCM, "0", "0", "0", "lcm(0, 0)"},
        {OP_LCM, "4611686018427387904", "3", OVERFLOW, "lcm(4611686018427387904, 3)"}};
    expect_rows(rows, COUNT(rows));
}

/* A float operand makes the result a float. */
static void reals(void)
{
    static const struct operator_row rows[] = {{OP_ADD, "7", "2.5", "9.5", "7 + 2.5"},
                                               {OP_SUBTRACT, "7.0", "2", "5.0", "7.0 - 2"},
                                               {OP_MULTIPLY, "2.5", "2", "5.0", "2.5 * 2"},
                                               {OP_MULTIPLY, "1e308", "10", FINITE, "1e+308 * 10"},
                                               {OP_DIVIDE, "7", "2.0", "3.5", "7 / 2.0"},
                                               {OP_DIVIDE, "7.0", "0", ZERO, "7.0 / 0"},
                                               {OP_CEILDIV, "7.0", "2", "4.0", "ceildiv(7.0, 2)"},
                                               {OP_CEILDIV, "7", "0.0", ZERO, "ceildiv(7, 0.0)"},
                                               {OP_MIN, "7", "2.5", "2.5", "min(7, 2.5)"},
                                               {OP_MIN, "2.5", "7", "2.5", "min(2.5, 7)"},
                                               {OP_MAX, "7", "2.5", "7.0", "max(7, 2.5)"},
                                               {OP_MAX, "2.5", "7", "7.0", "max(2.5, 7)"},
                                               {OP_REMAINDER, "2.5", "2", INTEGERS, "2.5 % 2"},
                                               {OP_SHIFT_LEFT, "1", "1.0", INTEGERS, "1 << 1.0"},
                                               {OP_SHIFT_RIGHT, "1", "1.0", INTEGERS, "1 >> 1.0"},
                                               {OP_BIT_AND, "1.0", "1", INTEGERS, "1.0 & 1"},
                                               {OP_BIT_OR, "1.0", "1", INTEGERS, "1.0 | 1"},
                                               {OP_BIT_XOR, "1.0", "1", INTEGERS, "1.0 ^ 1"},
                                               {OP_GCD, "2.5", "2", INTEGERS, "gcd(2.5, 2)"},
                                               {OP_LCM, "2", "2.5", INTEGERS, "lcm(2, 2.5)"}};
    expect_rows(rows, COUNT(rows));
}

static void comparisons(void)
{
    static const struct operator_row rows[] = {
        {OP_EQUAL, "7", "7.0", "1", "7 == 7.0"},     {OP_EQUAL, "7", "8", "0", "7 == 8"},
        {OP_NOT_EQUAL, "7", "7.0", "0", "7 != 7.0"}, {OP_NOT_EQUAL, "red", "1", "1", "red != 1"},
        {OP_EQUAL, "red", "1", "0", "red == 1"},     {OP_LESS, "1", "2", "1", "1 < 2"},
        {OP_LESS, "2", "2", "0", "2 < 2"},           {OP_LESS_EQUAL, "2", "2", "1", "2 <= 2"},
        {OP_LESS_EQUAL, "3", "2", "0", "3 <= 2"},    {OP_GREATER, "2", "2", "0", "2 > 2"},
        {OP_GREATER, "2.5", "2", "1", "2.5 > 2"},    {OP_GREATER_EQUAL, "2", "2", "1", "2 >= 2"},
        {OP_GREATER_EQUAL, "1", "2", "0", "1 >= 2"}, {OP_LESS, "red", "1", WORD, "red < 1"},
        {OP_GREATER, "1", "red", WORD, "1 > red"},   {OP_ADD, "red", "1", WORD, "red + 1"},
        {OP_MULTIPLY, "1", "red", WORD, "1 * red"},
    };
    expect_rows(rows, COUNT(rows));
}

static void members(void)
{
    static const struct value_set_item items[] = {
        {.one = true, .value = {.kind = VALUE_INT, .integer = 5}},
        {.range = {.first = 10, .last = 14, .step = 2}},
        {.range = {.first = INT64_MIN, .last = INT64_MIN, .step = 1}},
    };
    static const struct value_set set = {COUNT(items), items};
    static const struct {
        const char *text;
        int64_t in;
    } rows[] = {{"5", 1},  {"5.0", 1}, {"6", 0},   {"10", 1},       {"11", 0},
                {"14", 1}, {"16", 0},  {"red", 0}, {LEAST ".0", 1}, {"9223372036854775808.0", 0}};
    const struct value b = {.kind = VALUE_SET, .set = &set};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct value a = value(rows[i].text), result = {0};
        CU_ASSERT_PTR_NULL(operation_apply(OP_IN, OVERFLOW_FAULTS, &a, &b, NULL, &result));
        CU_ASSERT(result.kind == VALUE_INT && result.integer == rows[i].in);
    }
}

/* A fault of an operand matters only if the operation needs that operand. */
static void conditions(void)
{
    static const struct value zero = {.kind = VALUE_INT, .integer = 0}, one = {.kind = VALUE_INT, .integer = 1},
                              two = {.kind = VALUE_INT, .integer = 2}, none = {.kind = VALUE_FLOAT, .real = 0},
                              half = {.kind = VALUE_FLOAT, .real = 0.5}, red = {.kind = VALUE_WORD, .word = "red"},
                              fault = {.kind = VALUE_FAULT};
    static const struct {
        enum operation operation;
        const struct value *a, *b, *c;
        const char *expected;
    } rows[] = {
        {OP_AND, &one, &two, &fault, "1"},           {OP_AND, &one, &zero, &fault, "0"},
        {OP_AND, &half, &none, &fault, "0"},         {OP_AND, &zero, &fault, &fault, "0"},
        {OP_AND, &none, &fault, &fault, "0"},        {OP_AND, &one, &fault, &fault, "no value"},
        {OP_AND, &fault, &zero, &zero, "no value"},  {OP_AND, &red, &zero, &zero, "no value"},
        {OP_AND, &one, &red, &zero, "no value"},     {OP_OR, &zero, &two, &fault, "1"},
        {OP_OR, &zero, &none, &fault, "0"},          {OP_OR, &none, &half, &fault, "1"},
        {OP_OR, &two, &fault, &fault, "1"},          {OP_OR, &zero, &fault, &fault, "no value"},
        {OP_OR, &fault, &one, &one, "no value"},     {OP_OR, &red, &one, &one, "no value"},
        {OP_CHOOSE, &one, &two, &fault, "2"},        {OP_CHOOSE, &half, &red, &fault, "red"},
        {OP_CHOOSE, &zero, &fault, &half, "0.5"},    {OP_CHOOSE, &none, &fault, &two, "2"},
        {OP_CHOOSE, &fault, &one, &one, "no value"}, {OP_CHOOSE, &red, &one, &one, "no value"},
        {OP_NOT, &two, &fault, &fault, "0"},         {OP_NEGATE, &fault, &one, &one, "no value"},
        {OP_ADD, &one, &fault, &one, "no value"},    {OP_ADD, &fault, &one, &one, "no value"},
        {OP_EQUAL, &red, &red, &fault, "1"},         {OP_EQUAL, &red, &fault, &fault, "no value"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char buffer[VALUE_TEXT_BYTES], row[32];
        struct value value;
        operation_apply(rows[i].operation, OVERFLOW_FAULTS, rows[i].a, rows[i].b, rows[i].c, &value);
        snprintf(row, sizeof row, "row %zu", i);
        expect_text(row, value_text(&value, buffer, sizeof buffer), rows[i].expected);
    }
}

CU_TestInfo tests_operation[] = {
    {"unary operators", unary},    {"integers", integers},     {"floats", reals}, {"comparisons", comparisons},
    {"members of a set", members}, {"conditions", conditions}, CU_TEST_INFO_NULL};
