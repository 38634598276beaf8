/* Conditions on sizes: values, C, and errors. */
#include <string.h>

#include <CUnit/Basic.h>

#include "db/size_condition.h"

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
        {"((ROWS >> COLS) == 1)", INT64_MAX, 62, true},
        {"((ROWS >> COLS) == -1)", INT64_MIN, 63, true},
        {"((ROWS >> COLS) == -1)", -7, 1000, true},
        {"((ROWS >> COLS) == 7)", 7, -1, true},
        {"(gcd(ROWS, COLS) == 6)", 12, 18, true},
        {"(gcd(ROWS, COLS) == 6)", -12, 18, true},
        {"(gcd(ROWS, COLS) == 5)", 0, -5, true},
        {"(lcm(ROWS, COLS) == 36)", 12, 18, true},
        {"(lcm(ROWS, COLS) == 36)", -12, 18, true},
        {"(lcm(ROWS, COLS) == 0)", 12, 0, true},
        {"(log2(ROWS, COLS) == 0)", 1, 64, true},
        {"(log2(ROWS, COLS) == 64)", 2, 64, true},
        {"(log2(ROWS, COLS) == 96)", 3, 64, true}, /* straight: 101 if it were not */
        {"(log2(ROWS, COLS) == -96)", 3, -64, true},
        {"(log2(ROWS, COLS) == 10)", 1535, 1, true},
        {"(log2(ROWS, COLS) == 1343)", 2097151, 64, true},
        {"(log2(ROWS, COLS) == 1344)", 2097152, 64, true},
        {"(log2(ROWS, COLS) == 4031)", INT64_MAX, 64, true},
        {"(log2(ROWS, COLS) == 3968)", (int64_t)1 << 62, 64, true},
        {"(log2(ROWS, COLS) == 0)", 0, 64, true},
        {"(log2(ROWS, COLS) == 0)", INT64_MIN, 64, true},
        {"(log2(ROWS, COLS) == 8796093022207)", 8, INT64_MAX, true}, /* saturated before it is divided */
        {"(lcm(ROWS, COLS) == 0)", 0, 0, true},
        {"(log2(ROWS, COLS) == 1345)", 2129920, 64, true}, /* 2^21 + 2^15 */
        {"(log2(ROWS, COLS) == -1345)", 2129920, -64, true},
        /* Equal parts are evaluated once. */
        {"(((ROWS + COLS) * (ROWS + COLS)) == 144)", 5, 7, true},
        {"((ROWS - COLS) == (0 - (COLS - ROWS)))", 5, 7, true},
        {"((((ROWS > 1) ? COLS : 3) + ((ROWS > 1) ? 3 : COLS)) == 10)", 5, 7, true},
        {"((!ROWS + !COLS) == 1)", 0, 7, true},
        {"(min(ROWS, 4) == max(ROWS, 4))", 4, 0, true},
        /* What would overflow saturates, and a division by zero is as large as can be. */
        {"((ROWS * COLS) == 9223372036854775807)", INT64_MAX, 2, true},
        {"((ROWS * COLS) == -9223372036854775808)", INT64_MAX, -2, true},
        {"((ROWS * COLS) == 9223372036854775807)", INT64_MIN, INT64_MIN, true},
        {"((ROWS * COLS) == 9223372036854775807)", INT64_MIN, -1, true},
        {"((ROWS * COLS) == 0)", 0, INT64_MIN, true},
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
        {"((ROWS << COLS) == 3)", 3, -1, true},
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

/* What is parsed for sizes between others has the same values there, and is a number where they have but one value. */
static void test_ranges(void)
{
    static const struct {
        const char *text;
        struct size_range ranges[2];
        bool always; /* it is known to hold */
    } cases[] = {
        {"", {{1, 9}, {1, 9}}, true},
        {"(ROWS <= 9)", {{1, 9}, {1, 9}}, true},
        {"(ROWS <= 8)", {{1, 9}, {1, 9}}, false},
        {"((ROWS + COLS) == 12)", {{5, 5}, {7, 7}}, true},
        {"((ROWS + COLS) == 13)", {{5, 5}, {7, 7}}, false},
        {"(1 <= ceildiv((ROWS * COLS), 64))", {{1, 9}, {1, 9}}, true},
        {"((ROWS % 4) == 0)", {{1, 9}, {1, 9}}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        const struct size_condition *condition, *any;
        const struct size_conditions of = {
            .texts = &cases[i].text, .names = names, .name_count = 2, .ranges = cases[i].ranges};
        CU_ASSERT_EQUAL_FATAL(size_conditions_parse(&arena, &of, 1, &condition, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(size_condition_parse(&arena, cases[i].text, names, 2, &any, NULL), 0);
        CU_ASSERT_EQUAL(size_condition_always(condition), cases[i].always);
        for (int64_t rows = cases[i].ranges[0].least; rows <= cases[i].ranges[0].most; rows++) {
            const int64_t sizes[] = {rows, cases[i].ranges[1].most};
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

/* Writes the sum of (ROWS ^ first), (ROWS ^ (first + 1)) and so on, nested as little as can be. */
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

/* A condition has as many different parts as fit on the stack; equal ones are one. */
static void test_parts(void)
{
    static const struct {
        int count; /* of terms: three parts each */
        int64_t sum;
        int code;
    } cases[] = {{682, 682 * 683 / 2, 0}, {683, 1, ERROR_SYNTAX}}; /* no condition holds everywhere */
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

/* Conditions that are parsed together have what each would have by itself, if those before it come before it. */
static void test_together(void)
{
    static const struct {
        const char *text;
        size_t after;
    } rows[] = {
        {"(log2((ROWS * COLS), 64) - 640)", SIZE_MAX},
        {"", 0},
        {"((log2((ROWS * COLS), 64) - 640) * (ROWS + 3))", 0},
        {"(ROWS + 3)", 2},                   /* all of it is there already */
        {"((COLS - ROWS) * (ROWS + 3))", 2}, /* beside the one above */
        {"COLS", SIZE_MAX},
        {"3", 5},
        {"!(ROWS + 3)", 6},
        {"((ROWS + 3) * COLS)", 1}, /* after what has no parts */
    };
    enum { COUNT = sizeof rows / sizeof *rows };
    static const int64_t sizes[][2] = {{64, 64}, {-3, 5}, {100, 1000}, {5, 0}};
    static const size_t paths[][4] = {
        {0, 2, 3, COUNT}, {0, 2, 4, COUNT}, {5, 6, 7, COUNT}, {8, 0, COUNT}, {0, 1, 2, COUNT}};
    struct arena arena = {0};
    const char *texts[COUNT];
    size_t after[COUNT];
    const struct size_condition *together[COUNT], *alone;
    for (size_t i = 0; i < COUNT; i++) {
        texts[i] = rows[i].text;
        after[i] = rows[i].after;
    }
    const struct size_conditions of = {.texts = texts, .names = names, .name_count = 2, .after = after};
    CU_ASSERT_EQUAL_FATAL(size_conditions_parse(&arena, &of, COUNT, together, NULL), 0);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
            struct size_evaluation evaluation;
            size_evaluation_begin(&evaluation, sizes[s]);
            for (const size_t *at = paths[p]; *at < COUNT; at++) {
                CU_ASSERT_EQUAL_FATAL(size_condition_parse(&arena, texts[*at], names, 2, &alone, NULL), 0);
                CU_ASSERT_EQUAL(size_evaluation_value(&evaluation, together[*at]),
                                size_condition_value(alone, sizes[s]));
            }
        }
    arena_free(&arena);
}

/* What comes before a condition counts for it; what only others have does not. An error leaves none of them. */
static void test_parts_together(void)
{
    static const struct {
        int first, count, other_first, other_count;
        size_t after;
        int code;
    } cases[] = {{1, 682, 2001, 682, SIZE_MAX, 0},
                 {1, 682, 1, 682, 0, 0},
                 {1, 341, 2001, 341, 0, 0},
                 {1, 341, 2001, 343, 0, ERROR_SYNTAX}, /* ROWS is one part */
                 {1, 682, 2001, 683, SIZE_MAX, ERROR_SYNTAX}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct text first = {0}, other = {0};
        struct error error = {0};
        const struct size_condition *conditions[2];
        write_sum(&first, cases[i].first, cases[i].count);
        write_sum(&other, cases[i].other_first, cases[i].other_count);
        const char *const texts[] = {text_string(&first), text_string(&other)};
        const size_t after[] = {SIZE_MAX, cases[i].after};
        const struct size_conditions of = {.texts = texts, .names = names, .name_count = 2, .after = after};
        CU_ASSERT_EQUAL(size_conditions_parse(&arena, &of, 2, conditions, &error), cases[i].code);
        CU_ASSERT_EQUAL(conditions[0] == NULL, cases[i].code != 0);
        CU_ASSERT_EQUAL(conditions[1] == NULL, cases[i].code != 0);
        text_free(&first);
        text_free(&other);
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
        /* Sums that cannot overflow are plain. */
        {"((log2(ROWS, 64) * -9) + (max((log2(COLS, 64) - 70), 0) * 3))",
         "((k_log2(problem_ROWS, 64LL) * (-9LL)) + k_max((k_log2(problem_COLS, 64LL) - 70LL), 0LL) * 3LL)"},
        {"(ROWS + 1)", "k_plus(problem_ROWS, 1LL)"},
        {"(log2(ROWS, COLS) * 2)", "(k_log2(problem_ROWS, problem_COLS) * 2LL)"},
        {"(min(5, ROWS) - !ROWS)", "k_minus(k_min(5LL, problem_ROWS), k_not(problem_ROWS))"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct text text = {0};
        const struct size_condition *condition;
        struct size_printer printer = {.prefix = "k_", .names = variables};
        CU_ASSERT_EQUAL_FATAL(size_condition_parse(&arena, cases[i].text, names, 2, &condition, NULL), 0);
        size_printer_put(&printer, condition, NULL, 0, &text);
        CU_ASSERT_STRING_EQUAL(text_string(&text), cases[i].c);
        text_free(&text);
        arena_free(&arena);
    }
}

/* What a condition has more than once, or one behind it has, too, is a constant, until its block ends. */
static void test_c_parts(void)
{
    static const char *const texts[] = {"((ROWS * COLS) + (!ROWS << !ROWS))",
                                        "(lcm((ROWS * COLS), !ROWS) - gcd(ROWS, 9))", "gcd(ROWS, 9)", "(ROWS * COLS)"};
    enum { COUNT = sizeof texts / sizeof *texts };
    const struct size_condition *conditions[COUNT];
    const struct size_conditions of = {.texts = texts, .names = names, .name_count = 2};
    struct arena arena = {0};
    struct text parts = {0}, text = {0};
    struct size_printer printer = {.prefix = "k_", .names = variables, .parts = &parts, .indent = 2};
    CU_ASSERT_EQUAL_FATAL(size_conditions_parse(&arena, &of, COUNT, conditions, NULL), 0);
    size_printer_put(&printer, conditions[0], conditions + 1, 3, &text);
    text_printf(&text, "; ");
    struct size_node *outer = printer.last;
    size_printer_put(&printer, conditions[1], conditions + 2, 1, &text); /* in a block */
    text_printf(&text, "; ");
    size_printer_leave(&printer, outer);
    size_printer_put(&printer, conditions[2], NULL, 0, &text);
    text_printf(&text, "; ");
    size_printer_put(&printer, conditions[3], NULL, 0, &text);
    CU_ASSERT_STRING_EQUAL(text_string(&parts), "  const long long part_0 = k_times(problem_ROWS, problem_COLS);\n"
                                                "  const long long part_1 = k_not(problem_ROWS);\n"
                                                "  const long long part_2 = k_gcd(problem_ROWS, 9LL);\n");
    CU_ASSERT_STRING_EQUAL(text_string(&text), "k_plus(part_0, k_shift_left(part_1, part_1)); "
                                               "k_minus(k_lcm(part_0, part_1), part_2); "
                                               "k_gcd(problem_ROWS, 9LL); part_0");
    text_free(&parts);
    text_free(&text);
    arena_free(&arena);
}

CU_TestInfo tests_size_condition[] = {{"values", test_values},      {"errors", test_errors},
                                      {"nesting", test_nesting},    {"parts", test_parts},
                                      {"together", test_together},  {"parts together", test_parts_together},
                                      {"ranges", test_ranges},      {"as C", test_c},
                                      {"parts as C", test_c_parts}, CU_TEST_INFO_NULL};
