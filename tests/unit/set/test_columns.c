#include "set/columns.h"

#include "../language/support.h"

static const struct value numbers[] = {
    {.kind = VALUE_INT, .integer = 7},         {.kind = VALUE_INT, .integer = 0},
    {.kind = VALUE_INT, .integer = -3},        {.kind = VALUE_INT, .integer = 4294967296},
    {.kind = VALUE_INT, .integer = INT64_MAX}, {.kind = VALUE_INT, .integer = INT64_MIN},
    {.kind = VALUE_INT, .integer = 1}};
static const struct value mixed[] = {{.kind = VALUE_FLOAT, .real = 0.5},
                                     {.kind = VALUE_INT, .integer = 2},
                                     {.kind = VALUE_WORD, .word = "red"},
                                     {.kind = VALUE_INT, .integer = 0},
                                     {.kind = VALUE_FLOAT, .real = -1},
                                     {.kind = VALUE_INT, .integer = 3},
                                     {.kind = VALUE_FAULT}};
enum { VALUES = COUNT(numbers) };

/* A column equals the results of single operations, for all operands. */
static void same_one_by_one(void)
{
    const struct operand operands[] = {{numbers, 1, true},     {mixed, 1, false}, {numbers, 0, true},
                                       {&numbers[2], 0, true}, {mixed, 0, false}, {&numbers[6], 0, true}};
    size_t of_integers = 0;
    for (enum operation operation = OP_LOG2; operation < OP_COUNT; operation++) {
        if (operation == OP_IN)
            continue;
        for (size_t i = 0; i < COUNT(operands); i++)
            for (size_t j = 0; j < COUNT(operands); j++) {
                const struct operand a = operands[i], b = operands[j], c = operands[0];
                struct value column[VALUES];
                bool integers = columns_fill(operation, a, b, c, VALUES, column), all = true;
                for (size_t v = 0; v < VALUES; v++) {
                    struct value value;
                    operation_apply(operation, OVERFLOW_FAULTS, &a.values[v * a.stride], &b.values[v * b.stride],
                                    &c.values[v * c.stride], &value);
                    all = all && value.kind == VALUE_INT;
                    CU_ASSERT_EQUAL_FATAL(column[v].kind, value.kind);
                    CU_ASSERT(value.kind != VALUE_INT || column[v].integer == value.integer);
                    CU_ASSERT(value.kind != VALUE_FLOAT || column[v].real == value.real);
                }
                CU_ASSERT_EQUAL(integers, all);
                of_integers += integers;
            }
    }
    CU_ASSERT(of_integers > 200);
}

CU_TestInfo tests_columns[] = {{"the same as one by one", same_one_by_one}, CU_TEST_INFO_NULL};
