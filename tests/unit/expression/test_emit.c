/* Compiled expressions: parts with known operands are folded. */
#include "bound_expression.h"

static void parts(void)
{
    static const struct {
        const char *text;
        size_t parts, nodes; /* parts with repetitions; distinct nodes */
    } rows[] = {{"A", 1, 1},
                {"1 + 2 * 3", 1, 1},
                {"A + 1 * 2", 3, 3},
                {"A + (B + (A + B))", 7, 5},
                {"min(A, 2, 3)", 5, 5},
                {"(A && 1) + 2", 5, 5},
                {"(0 ? 1 : 2) + 3", 6, 6}, /* a choice is made when sizes are known */
                {"HALF", 3, 3},            /* as N / 2 */
                {"HALF * HALF", 7, 4},
                {"A in {1, 2}", 3, 3}};
    struct space *space = bound(bind_space, "", NULL);
    for (size_t i = 0; space && i < COUNT(rows); i++) {
        struct error error = {0};
        const struct expr *expr = compiled(space, rows[i].text, &error);
        CU_ASSERT_PTR_NOT_NULL_FATAL(expr);
        if (expr->part_count != rows[i].parts || expr->expression.count != rows[i].nodes)
            fprintf(stderr, "\n%s: %zu parts, %zu nodes", rows[i].text, expr->part_count, expr->expression.count);
        CU_ASSERT_EQUAL(expr->part_count, rows[i].parts);
        CU_ASSERT_EQUAL(expr->expression.count, rows[i].nodes);
    }
    space_free(space);
}

/* Names in a named expression count at its uses. */
static void what_names_bring(void)
{
    struct space *space = bound(bind_space, "", NULL);
    struct error error = {0};
    const struct expr *expr = space ? compiled(space, "PICK + 1", &error) : NULL;
    CU_ASSERT_PTR_NOT_NULL_FATAL(expr);
    CU_ASSERT_EQUAL(expr->parameters, 1 | 2 | 4); /* A, B, W */
    CU_ASSERT_TRUE(expr->uses_problems);
    CU_ASSERT_FALSE(expr->uses_limits);
    space_free(space);
}

/* Constants without a value are errors at their operator. */
static void constant_faults(void)
{
    static const struct {
        const char *text, *message;
        int column;
    } rows[] = {{"A + 1 / 0", "division by zero: 1 / 0", 7},
                {"A && log2(0)", "only positive numbers have a logarithm: log2(0)", 6}};
    struct space *space = bound(bind_space, "", NULL);
    for (size_t i = 0; space && i < COUNT(rows); i++) {
        struct error error = {0};
        CU_ASSERT_PTR_NULL(compiled(space, rows[i].text, &error));
        CU_ASSERT_EQUAL(error.code, ERROR_VALUE);
        CU_ASSERT_EQUAL(error.column, rows[i].column);
        expect_text(rows[i].text, error.message, rows[i].message);
    }
    space_free(space);
}

CU_TestInfo tests_emit[] = {{"parts", parts},
                            {"what names bring", what_names_bring},
                            {"faults of constants", constant_faults},
                            CU_TEST_INFO_NULL};
