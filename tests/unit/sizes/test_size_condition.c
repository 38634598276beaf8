/* Conditions on sizes: values, C, and errors. */
#include <string.h>

#include <CUnit/Basic.h>

#include "sizes/size_condition.h"

static const char *const names[] = {"ROWS", "COLS"};

static void test_values(void)
{
    static const struct {
        const char *text;
        int64_t rows, cols;
        bool holds;
    } cases[] = {
        {"", 1, 1, true},
        {"0", 1, 1, false},
        {"-3", 1, 1, true},
        {"ROWS", 0, 1, false},
        {"!ROWS", 0, 1, true},
        {"(ROWS == COLS)", 5, 5, true},
        {"(ROWS != COLS)", 5, 5, false},
        {"(ROWS <= COLS)", 5, 5, true},
        {"(ROWS < COLS)", 5, 5, false},
        {"(ROWS >= COLS)", 4, 5, false},
        {"(ROWS > COLS)", 6, 5, true},
        {"((ROWS % 32) == 0)", 96, 0, true},
        {"((ROWS - COLS) == -1)", 1, 2, true},
        {"((ROWS + COLS) == 3)", 1, 2, true},
        {"((ROWS / COLS) == 3)", 7, 2, true},
        {"(ceildiv(ROWS, COLS) == 4)", 7, 2, true},
        {"(min(ROWS, COLS) == 2)", 7, 2, true},
        {"( max( ROWS ,COLS )==7 )", 7, 2, true},
        {"((ROWS > 1) && (COLS > 1))", 2, 1, false},
        {"((ROWS > 1) || (COLS > 1))", 2, 1, true},
        {"(((ROWS > 1) ? COLS : 1) == 9)", 2, 9, true},
        {"(((ROWS > 1) ? COLS : 1) == 9)", 1, 9, false},
        {"((ROWS & COLS) == 4)", 6, 12, true},
        {"((ROWS | COLS) == 14)", 6, 12, true},
        {"((ROWS ^ COLS) == 10)", 6, 12, true},
        {"((ROWS & COLS) && 1)", 1, 2, false},
        {"((ROWS << COLS) == 24)", 3, 3, true},
        {"((ROWS >> COLS) == 3)", 25, 3, true},
        {"((ROWS >> COLS) == -4)", -25, 3, true},
        {"((ROWS >> COLS) == 0)", INT64_MAX, 64, true},
        {"((ROWS >> COLS) == -1)", -7, 1000, true},
        {"((ROWS >> COLS) == 7)", 7, -1, true},
        {"(gcd(ROWS, COLS) == 6)", 12, 18, true},
        {"(gcd(ROWS, COLS) == 5)", 0, -5, true},
        {"(lcm(ROWS, COLS) == 36)", 12, 18, true},
        {"(lcm(ROWS, COLS) == 0)", 12, 0, true},
        /* Equal parts are evaluated once. */
        {"(((ROWS + COLS) * (ROWS + COLS)) == 144)", 5, 7, true},
        {"((ROWS - COLS) == (0 - (COLS - ROWS)))", 5, 7, true},
        {"((((ROWS > 1) ? COLS : 3) + ((ROWS > 1) ? 3 : COLS)) == 10)", 5, 7, true},
        {"((!ROWS + !COLS) == 1)", 0, 7, true},
        {"(min(ROWS, 4) == max(ROWS, 4))", 4, 0, true},
        /* Overflows and divisions by zero saturate. */
        {"((ROWS * COLS) == 9223372036854775807)", INT64_MAX, 2, true},
        {"((ROWS * COLS) == -9223372036854775808)", INT64_MAX, -2, true},
        {"((ROWS * COLS) == 9223372036854775807)", INT64_MIN, INT64_MIN, true},
        {"((ROWS + COLS) == -9223372036854775808)", INT64_MIN, -1, true},
        {"((ROWS - COLS) == 9223372036854775807)", INT64_MAX, -1, true},
        {"((ROWS / COLS) == 9223372036854775807)", INT64_MIN, -1, true},
        {"((ROWS / COLS) == 9223372036854775807)", 1, 0, true},
        {"((ROWS % COLS) == 0)", 5, 0, true},
        {"((ROWS << COLS) == 9223372036854775807)", 1, 63, true},
        {"((ROWS << COLS) == 9223372036854775807)", 3, 1000, true},
        {"((ROWS << COLS) == -9223372036854775808)", -1, 63, true},
        {"((ROWS << COLS) == -9223372036854775808)", -3, 62, true},
        {"((ROWS << COLS) == 4611686018427387904)", 1, 62, true},
        {"((ROWS << COLS) == 0)", 0, 64, true},
        {"(gcd(ROWS, COLS) == 9223372036854775807)", INT64_MIN, 0, true},
        {"(lcm(ROWS, COLS) == 9223372036854775807)", INT64_MAX, 2, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct error error = {0};
        const struct size_condition *condition;
        const int64_t sizes[] = {cases[i].rows, cases[i].cols};
        int code = size_condition_parse(&arena, cases[i].text, names, 2, &condition, &error);
        CU_ASSERT_EQUAL_FATAL(code, 0);
        CU_ASSERT_EQUAL(size_condition_holds(condition, sizes), cases[i].holds);
        arena_free(&arena);
    }
}

/* A condition parsed for ranges has the same values there, and is a constant where only one value is possible. */
static void test_ranges(void)
{
    static const struct {
        const char *text;
        struct bound ranges[2];
        bool always; /* known to hold */
    } cases[] = {
        {"", {{1, 9, true}, {1, 9, true}}, true},
        {"(ROWS <= 9)", {{1, 9, true}, {1, 9, true}}, true},
        {"(ROWS <= 8)", {{1, 9, true}, {1, 9, true}}, false},
        {"((ROWS + COLS) == 12)", {{5, 5, true}, {7, 7, true}}, true},
        {"((ROWS + COLS) == 13)", {{5, 5, true}, {7, 7, true}}, false},
        {"(1 <= ceildiv((ROWS * COLS), 64))", {{1, 9, true}, {1, 9, true}}, true},
        {"((ROWS % 4) == 0)", {{1, 9, true}, {1, 9, true}}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        const struct size_condition *condition, *any;
        CU_ASSERT_EQUAL_FATAL(
            size_condition_parse_between(&arena, cases[i].text, names, 2, cases[i].ranges, &condition, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(size_condition_parse(&arena, cases[i].text, names, 2, &any, NULL), 0);
        CU_ASSERT_EQUAL(size_condition_always(condition), cases[i].always);
        for (int64_t rows = cases[i].ranges[0].low; rows <= cases[i].ranges[0].high; rows++) {
            const int64_t sizes[] = {rows, cases[i].ranges[1].high};
            CU_ASSERT_EQUAL(size_condition_value(condition, sizes), size_condition_value(any, sizes));
        }
        arena_free(&arena);
    }
}

static void test_errors(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"ROW", "character 1"},
        {"(ROWS", "character 6"},
        {"(ROWS =", "character 7"},
        {"(ROWS > 1 ? 2 : 3)", "character 11"}, /* each operator has its parentheses */
        {"(ROWS == )", "character 10"},
        {"(ROWS == 1", "character 11"},
        {"ROWS COLS", "character 6"},
        {"min(ROWS)", "': , is missing"},
        {"min ROWS", "( is missing"},
        {"(1 ? 2)", ": is missing"},
        {"99999999999999999999", "64 bits"},
        {"system(1, 2)", "character 1"},
        {"\"", "character 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct error error = {0};
        const struct size_condition *condition;
        CU_ASSERT_EQUAL(size_condition_parse(&arena, cases[i].text, names, 2, &condition, &error), ERROR_SYNTAX);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, cases[i].message));
        arena_free(&arena);
    }
}

/* Neither deep nesting nor long texts exhaust the stack. */
static void test_nesting(void)
{
    static char text[100000];
    struct arena arena = {0};
    struct error error = {0};
    const struct size_condition *condition;
    memset(text, '(', sizeof text - 1);
    CU_ASSERT_EQUAL(size_condition_parse(&arena, text, names, 2, &condition, &error), ERROR_SYNTAX);
    memset(text, '!', sizeof text - 1);
    CU_ASSERT_EQUAL(size_condition_parse(&arena, text, names, 2, &condition, NULL), ERROR_SYNTAX);
    arena_free(&arena);
}

/* Writes the sum of (ROWS ^ first), (ROWS ^ (first + 1)) and so on, with minimal nesting. */
static void write_sum(struct text *text, int first, int count)
{
    if (count == 1) {
        text_printf(text, "(ROWS ^ %d)", first);
        return;
    }
    text_printf(text, "(");
    write_sum(text, first, count / 2);
    text_printf(text, " + ");
    write_sum(text, first + count / 2, count - count / 2);
    text_printf(text, ")");
}

/* The number of different parts in a condition is limited by the stack; equal parts count once. */
static void test_parts(void)
{
    static const struct {
        int count; /* number of terms, each with three parts */
        int64_t sum;
        int code;
    } cases[] = {{682, 682 * 683 / 2, 0}, {683, 1, ERROR_SYNTAX}}; /* none of these conditions holds everywhere */
    static const int64_t sizes[] = {0, 0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct text text = {0};
        struct error error = {0};
        const struct size_condition *condition;
        write_sum(&text, 1, cases[i].count);
        CU_ASSERT_EQUAL(size_condition_parse(&arena, text_string(&text), names, 2, &condition, &error), cases[i].code);
        CU_ASSERT_EQUAL(size_condition_value(condition, sizes), cases[i].sum);
        CU_ASSERT_EQUAL(strstr(error.message, "has more than 2048 different parts") != NULL, cases[i].code != 0);
        text_free(&text);
        arena_free(&arena);
    }
}

static const char *const variables[] = {"problem_ROWS", "problem_COLS"};

static void test_c(void)
{
    static const struct {
        const char *text, *c;
    } cases[] = {
        {"", "1"},
        {"((ROWS % 32) == -1)", "k_equal(k_remainder(problem_ROWS, 32LL), (-1LL))"},
        {"(ceildiv(COLS, 2) ? 3 : !ROWS)", "k_choice(k_ceildiv(problem_COLS, 2LL), 3LL, k_not(problem_ROWS))"},
        {"(((COLS << 2) & gcd(ROWS, 6)) | lcm(ROWS, 3))",
         "k_bit_or(k_bit_and(k_shift_left(problem_COLS, 2LL), k_gcd(problem_ROWS, 6LL)), k_lcm(problem_ROWS, 3LL))"},
        {"((ROWS >> 1) ^ 1)", "k_bit_xor(k_shift_right(problem_ROWS, 1LL), 1LL)"},
        {"-9223372036854775808", "(-9223372036854775807LL - 1)"},
        /* Sums that cannot overflow are operators of C. */
        {"(((ROWS % 8) * -9) + max(((COLS & 63) - 40), 0))",
         "((k_remainder(problem_ROWS, 8LL) * (-9LL)) + k_max((k_bit_and(problem_COLS, 63LL) - 40LL), 0LL))"},
        {"(ROWS + 1)", "k_plus(problem_ROWS, 1LL)"},
        /* The divisors of a power of two are its lower bits. */
        {"gcd(ROWS, 8)", "k_low_bit(problem_ROWS, 8LL)"},
        {"gcd(1, ROWS)", "k_low_bit(problem_ROWS, 1LL)"},
        {"(min(5, ROWS) - !ROWS)", "k_minus(k_min(5LL, problem_ROWS), k_not(problem_ROWS))"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct text text = {0};
        const struct size_condition *condition;
        CU_ASSERT_EQUAL_FATAL(size_condition_parse(&arena, cases[i].text, names, 2, &condition, NULL), 0);
        size_condition_print(condition, "k_", variables, 0, NULL, &text);
        CU_ASSERT_STRING_EQUAL(text_string(&text), cases[i].c);
        text_free(&text);
        arena_free(&arena);
    }
}

/* A part that occurs more than once becomes a constant, also when the condition is printed again. */
static void test_c_parts(void)
{
    static const char condition_text[] = "((ROWS * COLS) + ((!ROWS << !ROWS) - lcm((ROWS * COLS), 9)))";
    const struct size_condition *condition;
    struct arena arena = {0};
    CU_ASSERT_EQUAL_FATAL(size_condition_parse(&arena, condition_text, names, 2, &condition, NULL), 0);
    for (int again = 0; again < 2; again++) {
        struct text parts = {0}, text = {0};
        size_condition_print(condition, "k_", variables, 2, &parts, &text);
        CU_ASSERT_STRING_EQUAL(text_string(&parts), "  const long long part_0 = k_times(problem_ROWS, problem_COLS);\n"
                                                    "  const long long part_1 = k_not(problem_ROWS);\n");
        CU_ASSERT_STRING_EQUAL(text_string(&text),
                               "k_plus(part_0, (k_shift_left(part_1, part_1) - k_lcm(part_0, 9LL)))");
        text_free(&parts);
        text_free(&text);
    }
    arena_free(&arena);
}

CU_TestInfo tests_size_condition[] = {{"values", test_values},      {"errors", test_errors}, {"nesting", test_nesting},
                                      {"parts", test_parts},        {"ranges", test_ranges}, {"as C", test_c},
                                      {"parts as C", test_c_parts}, CU_TEST_INFO_NULL};
