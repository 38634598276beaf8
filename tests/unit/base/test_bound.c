/* Interval arithmetic: the bounds of each operation against all values. */
#include "base/bound.h"

#include <stdio.h>

#include <CUnit/Basic.h>

#include "random_expression.h"

/* Returns the bound of an operation on three names. */
static struct bound of_operation(enum operation operation, enum overflow overflow, const struct bound of[3])
{
    const struct expression_node nodes[] = {{.operation = OP_NAME},
                                            {.operation = OP_NAME, .operands = {1}},
                                            {.operation = OP_NAME, .operands = {2}},
                                            {.operation = operation, .operands = {0, 1, 2}}};
    return bound_of_node(nodes, &nodes[3], of, overflow);
}

static uint64_t width(struct bound bound)
{
    return (uint64_t)bound.high - (uint64_t)bound.low;
}

static struct bound draw_interval(struct random *random)
{
    int64_t low = random_below(random, 4) ? (int64_t)random_below(random, 12) - 4 : draw_integer(random);
    int64_t wide = (int64_t)random_below(random, 4);
    return (struct bound){low, low > INT64_MAX - wide ? low : low + wide, true};
}

/* For all operands within their bounds, the value is within the node's bound; a known bound excludes a fault. */
static void values_are_within(void)
{
    struct random random;
    size_t known = 0, tight = 0;
    random_seed(&random, 3);
    for (int i = 0; i < 60000; i++) {
        const enum overflow overflow = i % 2 ? OVERFLOW_SATURATES : OVERFLOW_FAULTS;
        const enum operation operation = (enum operation)(OP_LOG2 + i / 2 % (OP_COUNT - OP_LOG2));
        const struct bound of[] = {draw_interval(&random), draw_interval(&random), draw_interval(&random)};
        const struct bound whole = of_operation(operation, overflow, of);
        struct value v[3], value;
        struct bound all = {INT64_MAX, INT64_MIN, true};
        if (operation == OP_IN || (operation == OP_LOG2 && overflow == OVERFLOW_SATURATES))
            continue;
        for (uint64_t a = 0; a <= width(of[0]); a++)
            for (uint64_t b = 0; b <= width(of[1]); b++)
                for (uint64_t c = 0; c <= width(of[2]); c++) {
                    v[0] = value_integer(of[0].low + (int64_t)a);
                    v[1] = value_integer(of[1].low + (int64_t)b);
                    v[2] = value_integer(of[2].low + (int64_t)c);
                    operation_apply(operation, overflow, &v[0], &v[1], &v[2], &value);
                    CU_ASSERT(!whole.known || value.kind == VALUE_INT);
                    all.low = value.integer < all.low ? value.integer : all.low;
                    all.high = value.integer > all.high ? value.integer : all.high;
                }
        if (whole.known && (all.low < whole.low || all.high > whole.high))
            fprintf(stderr, "\n%s of %lld..%lld and %lld..%lld", operation_rows[operation].text, (long long)of[0].low,
                    (long long)of[0].high, (long long)of[1].low, (long long)of[1].high);
        CU_ASSERT(!whole.known || (whole.low <= all.low && all.high <= whole.high));
        CU_ASSERT(whole.known || overflow == OVERFLOW_FAULTS);
        CU_ASSERT(!bound_surely(whole, true) || bound_surely(all, true));
        CU_ASSERT(!bound_surely(whole, false) || bound_surely(all, false));
        known += whole.known;
        tight += whole.known && whole.low == all.low && whole.high == all.high;
    }
    CU_ASSERT(known > 45000 && tight > known * 3 / 4);
}

static void at_the_ends(void)
{
    static const struct bound large = {INT64_MAX - 1, INT64_MAX, true}, one = {1, 1, true}, two = {2, 2, true},
                              unknown = {0, 0, false}, zero = {0, 0, true}, some = {0, 5, true};
    static const struct {
        enum operation operation;
        const struct bound *a, *b;
        enum overflow overflow;
        struct bound expected;
    } rows[] = {{OP_ADD, &large, &one, OVERFLOW_FAULTS, {0, 0, false}},
                {OP_ADD, &large, &one, OVERFLOW_SATURATES, {INT64_MAX, INT64_MAX, true}},
                {OP_MULTIPLY, &large, &two, OVERFLOW_FAULTS, {0, 0, false}},
                {OP_DIVIDE, &large, &zero, OVERFLOW_FAULTS, {0, 0, false}},
                {OP_DIVIDE, &large, &zero, OVERFLOW_SATURATES, {INT64_MIN, INT64_MAX, true}},
                {OP_REMAINDER, &one, &two, OVERFLOW_FAULTS, {1, 1, true}},
                {OP_SHIFT_LEFT, &large, &one, OVERFLOW_FAULTS, {0, 0, false}},
                {OP_BIT_OR, &some, &two, OVERFLOW_FAULTS, {2, 7, true}},
                {OP_GCD, &some, &two, OVERFLOW_FAULTS, {1, 2, true}},
                {OP_LCM, &some, &two, OVERFLOW_FAULTS, {0, 10, true}},
                {OP_LCM, &large, &two, OVERFLOW_FAULTS, {0, 0, false}},
                {OP_ADD, &unknown, &one, OVERFLOW_FAULTS, {0, 0, false}},
                {OP_OR, &one, &unknown, OVERFLOW_FAULTS, {1, 1, true}},
                {OP_OR, &unknown, &one, OVERFLOW_FAULTS, {0, 0, false}},
                {OP_AND, &zero, &unknown, OVERFLOW_FAULTS, {0, 0, true}},
                {OP_AND, &some, &zero, OVERFLOW_FAULTS, {0, 0, true}},
                {OP_IN, &some, &unknown, OVERFLOW_FAULTS, {0, 1, true}},
                {OP_CHOOSE, &one, &two, OVERFLOW_FAULTS, {2, 2, true}},
                {OP_CHOOSE, &some, &two, OVERFLOW_FAULTS, {0, 0, false}},
                {OP_LESS, &some, &some, OVERFLOW_FAULTS, {0, 1, true}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct bound of[] = {*rows[i].a, *rows[i].b, unknown}, *expected = &rows[i].expected;
        const struct bound found = of_operation(rows[i].operation, rows[i].overflow, of);
        const bool right = found.known == expected->known &&
                           (!found.known || (found.low == expected->low && found.high == expected->high));
        if (!right)
            fprintf(stderr, "\nrow %zu: %lld..%lld", i, (long long)found.low, (long long)found.high);
        CU_ASSERT(right);
    }
}

/* The condition of a choice bounds the compared operand on each side. */
static void sides(void)
{
    static const struct {
        enum operation comparison; /* of a name, within 1..9, with 5 */
        bool first;                /* the name is what the choice takes if that holds */
        int64_t low, high;         /* of the name there */
    } rows[] = {{OP_LESS, true, 1, 4},          {OP_LESS, false, 5, 9},          {OP_LESS_EQUAL, true, 1, 5},
                {OP_LESS_EQUAL, false, 6, 9},   {OP_GREATER, true, 6, 9},        {OP_GREATER, false, 1, 5},
                {OP_GREATER_EQUAL, true, 5, 9}, {OP_GREATER_EQUAL, false, 1, 4}, {OP_EQUAL, true, 1, 9}};
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        const bool first = rows[i / 2].first;
        const int64_t other = i % 2 ? 20 : -20;
        const struct expression_node nodes[] = {
            {.operation = OP_NAME},
            {.operation = OP_CONSTANT, .constant = {.integer = 5}},
            {.operation = OP_CONSTANT, .constant = {.integer = other}},
            {.operation = rows[i / 2].comparison, .operands = {0, 1}},
            {.operation = OP_CHOOSE, .operands = {3, first ? 0 : 2, first ? 2 : 0}}};
        const struct bound name = {1, 9, true}, constant = {other, other, true};
        const struct bound of[] = {{0, 1, true}, first ? name : constant, first ? constant : name};
        const struct bound found = bound_of_node(nodes, &nodes[4], of, OVERFLOW_FAULTS);
        CU_ASSERT(found.known);
        CU_ASSERT_EQUAL(found.low, i % 2 ? rows[i / 2].low : other);
        CU_ASSERT_EQUAL(found.high, i % 2 ? other : rows[i / 2].high);
    }
}

static void of_values(void)
{
    static const struct value values[] = {
        {.integer = 4}, {.integer = -3}, {.integer = 9}, {.kind = VALUE_FLOAT, .real = 1}};
    const struct bound bound = bound_of_values(values, 3);
    CU_ASSERT(bound.known && bound.low == -3 && bound.high == 9);
    CU_ASSERT_FALSE(bound_of_values(values, 4).known);
}

CU_TestInfo tests_bound[] = {{"values are within", values_are_within},
                             {"at the ends", at_the_ends},
                             {"sides of a choice", sides},
                             {"of values", of_values},
                             CU_TEST_INFO_NULL};
