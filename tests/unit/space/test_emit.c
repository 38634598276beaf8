/* The emitted code of an expression: constants are folded where that is safe, and the stack has the required depth. */
#include "bound_expression.h"

static void code(void)
{
    static const struct {
        const char *text;
        unsigned count, stack;
    } rows[] = {{"A", 1, 1},
                {"1 + 2 * 3", 1, 3}, /* folded; the compiler needed this stack */
                {"A + 1 * 2", 3, 3},
                {"-(2 - 3)", 1, 2},
                {"A + B + A", 5, 2},
                {"A + (B + (A + B))", 7, 4},
                {"min(1, 2, 3)", 1, 2},
                {"min(A, 2, 3)", 5, 2},
                {"(A && 1) + 2", 6, 2}, /* a constant at the join of two paths belongs to one of them only */
                {"A ? 1 : 2", 5, 1},
                {"(A ? 1 : 2) + 3", 7, 2},
                {"HALF", 3, 2}, /* as N / 2 */
                {"HALF * HALF", 7, 3},
                {"A in {1, 2}", 3, 2}};
    struct space *space = bound(bind_space, "", NULL);
    for (size_t i = 0; space && i < COUNT(rows); i++) {
        struct error error = {0};
        const struct expr *expr = compiled(space, rows[i].text, &error);
        CU_ASSERT_PTR_NOT_NULL_FATAL(expr);
        if (expr->code_count != rows[i].count || expr->stack != rows[i].stack)
            fprintf(stderr, "\n%s: %u instructions, stack %u", rows[i].text, expr->code_count, expr->stack);
        CU_ASSERT_EQUAL(expr->code_count, rows[i].count);
        CU_ASSERT_EQUAL(expr->stack, rows[i].stack);
    }
    space_free(space);
}

/* Names in a named expression count where the expression is used. */
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

CU_TestInfo tests_emit[] = {{"code", code},
                            {"what names bring", what_names_bring},
                            {"faults of constants", constant_faults},
                            CU_TEST_INFO_NULL};
