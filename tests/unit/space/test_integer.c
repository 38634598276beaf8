#include "bound_expression.h"

/* Integer code has the same values as postfix code, and falls back to postfix code if there is no value. */
static void same_values(void)
{
    static const char *const texts[] = {"A + B",
                                        "A - M",
                                        "A * M",
                                        "A / B",
                                        "M / (B - 3)",
                                        "A % B",
                                        "ceildiv(A, B)",
                                        "-M",
                                        "abs(M)",
                                        "~A",
                                        "!A",
                                        "A << B",
                                        "A >> B",
                                        "log2(A)",
                                        "is_pow2(A)",
                                        "gcd(A, M)",
                                        "lcm(A, B)",
                                        "min(A, B, M)",
                                        "A < B",
                                        "A >= M",
                                        "A == B ? M : A",
                                        "A && B || !M",
                                        "(A && M) + (B || A)",
                                        "B ? A / B : -1",
                                        "A in {1, 5..12, -3}",
                                        "W == red ? A : B",
                                        "W != blue && A > 0",
                                        "A > 0 => B > 0"};
    struct space *space = bound(bind_space, "", NULL);
    size_t faults = 0, values_found = 0;
    for (size_t i = 0; space && i < COUNT(texts); i++) {
        struct error error = {0};
        struct value values[SPACE_PARAMETERS_MAX], expected;
        const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
        const struct expr *plain = compiled(space, texts[i], &error), *folded = NULL;
        uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
        CU_ASSERT_PTR_NOT_NULL_FATAL(plain);
        CU_ASSERT_EQUAL_FATAL(expr_bind(space, plain, &folded, &error), 0);
        CU_ASSERT_PTR_NOT_NULL_FATAL(folded->integers);
        for (size_t p = 0; p < space->parameter_count;) {
            int64_t result = 0;
            struct error ignored = {0};
            space_values(space, choices, values);
            bool has = expr_eval(plain, &inputs, &expected, &ignored) == 0 && expected.kind == VALUE_INT;
            CU_ASSERT_EQUAL(integer_code_run(folded->integers, values, folded, &result), has);
            CU_ASSERT(!has || result == expected.integer);
            faults += !has;
            values_found += has;
            for (p = 0; p < space->parameter_count && ++choices[p] == space->parameters[p].value_count; p++)
                choices[p] = 0;
        }
    }
    CU_ASSERT(faults > 100 && values_found > 1000);
    space_free(space);
}

CU_TestInfo tests_integer[] = {{"the same values", same_values}, CU_TEST_INFO_NULL};
