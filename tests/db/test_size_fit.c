/* Fits over sizes: their text, and what they choose. */
#include <string.h>

#include <CUnit/Basic.h>

#include "db/choose_fit.h"
#include "db/size_fit.h"

#define HEAD "fit 1; size ROWS 64 16384; size COLS 1 8; take A=1; take A=2 where (COLS <= 4); "

static const char whole[] = HEAD "if product ROWS COLS <= 4096; if remainder COLS 4 <= 0; order 1 0; order 0 1; "
                                 "if waves2 ROWS COLS 32 <= 2; order 1 0; order 0 1;";

static const char with_formula[] =
    HEAD "if formula 1 0 ((log2(ROWS, 64) * -9) + ((COLS <= 4) ? 7 : 500)) <= -2900; order 1 0; order 0 1;";

/* A formula decides by its expression, in which "<=" may be, and is read, printed and told. */
static void test_formula(void)
{
    static const struct {
        int64_t rows, cols, value;
        size_t chosen;
    } cases[] = {{64, 4, 7 - 384 * 9, 1}, {32, 4, 7 - 320 * 9, 0}, {32, 2, 7 - 320 * 9, 0}, {64, 5, 500 - 384 * 9, 0}};
    struct arena arena = {0};
    struct text text = {0}, decision = {0};
    struct size_fit fit;
    CU_ASSERT_EQUAL_FATAL(size_fit_parse(&arena, with_formula, &fit, NULL), 0);
    CU_ASSERT_STRING_EQUAL(fit.nodes[0].formula, "((log2(ROWS, 64) * -9) + ((COLS <= 4) ? 7 : 500))");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t sizes[] = {cases[i].rows, cases[i].cols};
        const struct size_fit_node *node = &fit.nodes[0];
        CU_ASSERT_EQUAL(size_condition_value(node->values[SIZE_FIT_ANYWHERE], sizes), cases[i].value);
        if (!size_fit_extrapolates(&fit, sizes))
            CU_ASSERT_EQUAL(size_condition_value(node->values[SIZE_FIT_INSIDE], sizes), cases[i].value);
        CU_ASSERT_EQUAL(size_fit_choose(&fit, sizes, 1, 0, NULL), cases[i].chosen);
    }
    size_fit_print(&fit, &text);
    CU_ASSERT_STRING_EQUAL(text_string(&text), with_formula);
    fit.nodes[0].most = -105000; /* exp(-0.1) */
    size_fit_decision(&fit, &fit.nodes[0], &decision);
    CU_ASSERT_STRING_EQUAL(text_string(&decision), "1 should take at most 0.905 times as long as 0");
    text_free(&decision);
    text_free(&text);
    arena_free(&arena);
}

/* Formulas take what those above them have found, on each way down, inside and outside of the region; a condition that
 * holds inside is asked for outside. */
static void test_formulas(void)
{
    static const char text[] = "fit 1; size N 64 1024; take A=0 where (N >= 60); take A=1; take A=2; "
                               "if formula 0 1 ((log2(N, 64) * 3) + (N % 7)) <= 1500; "
                               "if formula 0 2 ((log2(N, 64) * 2) - (N % 7)) <= 900; order 0 1 2; "
                               "if formula 1 2 ((N % 7) - (N % 2)) <= 3; order 1 0 2; order 2 0 1; "
                               "if formula 0 2 ((log2(N, 64) * 2) - (N % 5)) <= 1250; order 2 0 1; order 0 2 1;";
    struct arena arena = {0};
    struct size_fit fit;
    CU_ASSERT_EQUAL_FATAL(size_fit_parse(&arena, text, &fit, NULL), 0);
    CU_ASSERT_FALSE(size_condition_always(fit.configurations[0].conditions[SIZE_FIT_ANYWHERE]));
    CU_ASSERT_TRUE(size_condition_always(fit.configurations[0].conditions[SIZE_FIT_INSIDE]));
    for (int64_t n = 1; n < 5000; n++) {
        const int64_t log = choose_log2(n, 64);
        const bool first = log * 3 + n % 7 <= 1500, second = log * 2 - n % 7 <= 900;
        size_t taken = first ? (second ? 0 : n % 7 - n % 2 <= 3 ? 1 : 2) : log * 2 - n % 5 <= 1250 ? 2 : 0;
        if (taken == 0 && n < 60)
            taken = first ? 1 : 2;
        CU_ASSERT_EQUAL(size_fit_choose(&fit, &n, 1, 0, NULL), taken);
    }
    arena_free(&arena);
}

/* What is printed reads back as the same. */
static void test_text(void)
{
    struct arena arena = {0};
    struct text text = {0}, decision = {0};
    struct size_fit fit;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(size_fit_parse(&arena, whole, &fit, &error), 0);
    CU_ASSERT_EQUAL(fit.size_count, 2);
    CU_ASSERT_EQUAL(fit.configuration_count, 2);
    CU_ASSERT_EQUAL(fit.node_count, 7);
    CU_ASSERT_EQUAL(fit.nodes[0].high, 4);
    CU_ASSERT_EQUAL(fit.nodes[1].high, 3);
    CU_ASSERT_EQUAL(fit.nodes[4].high, 6);
    size_fit_print(&fit, &text);
    CU_ASSERT_STRING_EQUAL(text_string(&text), whole);
    size_fit_decision(&fit, &fit.nodes[4], &decision);
    CU_ASSERT_STRING_EQUAL(text_string(&decision), "tiles of 32 x 32 in ROWS x COLS for each multiprocessor <= 2");
    text_free(&decision);
    text_free(&text);
    arena_free(&arena);
}

static void test_choice(void)
{
    static const struct {
        int64_t rows, cols;
        int sm_count;
        size_t chosen;
        bool extrapolates;
    } cases[] = {
        {64, 4, 1, 1, false},    /* small, a multiple of 4 */
        {64, 3, 1, 0, false},    /* small, not a multiple */
        {64, 8, 1, 0, false},    /* the first of the order is not valid */
        {16384, 3, 1, 0, false}, /* many waves */
        {16384, 3, 256, 1, false}, {16384, 8, 256, 0, false}, {32768, 3, 512, 1, true},
        {63, 4, 1, 1, true},       {64, 0, 1, 1, true},
    };
    struct arena arena = {0};
    struct size_fit fit;
    CU_ASSERT_EQUAL_FATAL(size_fit_parse(&arena, whole, &fit, NULL), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t sizes[] = {cases[i].rows, cases[i].cols};
        CU_ASSERT_EQUAL(size_fit_choose(&fit, sizes, cases[i].sm_count, 1 << 20, NULL), cases[i].chosen);
        CU_ASSERT_EQUAL(size_fit_extrapolates(&fit, sizes), cases[i].extrapolates);
    }
    const bool first[] = {true, false}, both[] = {true, true};
    CU_ASSERT_EQUAL(size_fit_choose(&fit, (const int64_t[]){64, 3}, 1, 0, first), 1);
    CU_ASSERT_EQUAL(size_fit_choose(&fit, (const int64_t[]){64, 5}, 1, 0, first), SIZE_MAX);
    CU_ASSERT_EQUAL(size_fit_choose(&fit, (const int64_t[]){64, 3}, 1, 0, both), SIZE_MAX);
    arena_free(&arena);
}

static void test_features(void)
{
    static const struct {
        const char *condition;
        int64_t sizes[2];
        int sm_count;
        int64_t l2_bytes, value;
    } cases[] = {
        {"size COLS", {3, 5}, 2, 4096, 5},
        {"volume", {3, 5}, 2, 4096, 15},
        {"product ROWS COLS", {3, 5}, 2, 4096, 15},
        {"product ROWS COLS", {INT64_MAX, 5}, 2, 4096, INT64_MAX},
        {"ratio COLS ROWS", {2, 3}, 2, 4096, 24},
        {"ratio COLS ROWS", {0, 3}, 2, 4096, INT64_MAX},
        {"remainder COLS 8", {2, 13}, 2, 4096, 5},
        {"alignment ROWS COLS 8", {12, 40}, 2, 4096, 4},
        {"alignment ROWS COLS 8", {64, 0}, 2, 4096, 8},
        {"alignment ROWS COLS 8", {-6, 5}, 2, 4096, 1},
        {"alignment COLS ROWS 8", {INT64_MIN, INT64_MIN + 2}, 2, 4096, 2},
        {"waves ROWS 32", {97, 1}, 2, 4096, 2},
        {"waves ROWS 32", {97, 1}, 0, 4096, INT64_MAX},
        {"waves2 ROWS COLS 16", {17, 33}, 5, 4096, 2},
        {"l2", {64, 64}, 2, 4096, 1024},
        {"l2", {64, 64}, 2, 0, INT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct text text = {0};
        struct size_fit fit;
        text_printf(&text, HEAD "if %s <= 1; order 0 1; order 1 0;", cases[i].condition);
        CU_ASSERT_EQUAL_FATAL(size_fit_parse(&arena, text_string(&text), &fit, NULL), 0);
        CU_ASSERT_EQUAL(size_fit_feature(&fit.nodes[0], cases[i].sizes, 2, cases[i].sm_count, cases[i].l2_bytes),
                        cases[i].value);
        text_free(&text);
        arena_free(&arena);
    }
}

static void test_errors(void)
{
    static const struct {
        const char *text;
        enum error_code code;
        const char *message;
    } cases[] = {
        {"", ERROR_SYNTAX, "character 1"},
        {"fit", ERROR_SYNTAX, "ends before"},
        {"fit 1; size", ERROR_SYNTAX, "character 12"},
        {"fit 0;", ERROR_SYNTAX, "integer"},
        {"fit 2; anything", ERROR_SCHEMA, "version 2"},
        {"fit 1;", ERROR_SYNTAX, "no end"},
        {"fit 1; wrong;", ERROR_SYNTAX, "character 13"},
        {"fit 1; size ROWS 2 1;", ERROR_SYNTAX, "range"},
        {"fit 1; size ROWS 1;", ERROR_SYNTAX, "range"},
        {"fit 1; size 1 1 2;", ERROR_SYNTAX, "name"},
        {"fit 1; size A 1 2; size A 1 2;", ERROR_SYNTAX, "second"},
        {"fit 1; order 0;", ERROR_SYNTAX, "before there is a configuration"},
        {"fit 1; take A;", ERROR_DATA, ""},
        {"fit 1; take A=1 where;", ERROR_SYNTAX, "condition is missing"},
        {"fit 1; take A=1 where (B == 1); order 0;", ERROR_SYNTAX, "character 2 of the condition"},
        {HEAD "order 0;", ERROR_SYNTAX, "integer"},
        {HEAD "order 0 2;", ERROR_SYNTAX, "range"},
        {HEAD "order 0 0;", ERROR_SYNTAX, "second time"},
        {HEAD "order 0 1 0;", ERROR_SYNTAX, "; is missing"},
        {HEAD "order 0 1; order 0 1;", ERROR_SYNTAX, "behind the tree"},
        {HEAD "if size ROWS <= 1; order 0 1;", ERROR_SYNTAX, "no end"},
        {HEAD "if size ROW <= 1; order 0 1; order 0 1;", ERROR_SYNTAX, "not a size"},
        {HEAD "if sizes ROWS <= 1; order 0 1; order 0 1;", ERROR_SYNTAX, "feature"},
        {HEAD "if size ROWS < 1; order 0 1; order 0 1;", ERROR_SYNTAX, "<="},
        {HEAD "if remainder ROWS 512 <= 1; order 0 1; order 0 1;", ERROR_SYNTAX, "range"},
        {HEAD "if formula 0 2 1 <= 1; order 0 1; order 0 1;", ERROR_SYNTAX, "range"},
        {HEAD "if formula 2 0 1 <= 1; order 0 1; order 0 1;", ERROR_SYNTAX, "range"},
        {HEAD "if formula 0 1 (1 + ROWS); order 0 1; order 0 1;", ERROR_SYNTAX, "formula and <= are missing"},
        {HEAD "if formula 0 1 <= 1; order 0 1; order 0 1;", ERROR_SYNTAX, "formula and <= are missing"},
        {HEAD "if formula 0 1  <= 1; order 0 1; order 0 1;", ERROR_SYNTAX, "formula and <= are missing"},
        {HEAD "if formula 0 1 (ROW + 1) <= 1; order 0 1; order 0 1;", ERROR_SYNTAX, "character 2 of the condition"},
        {HEAD "if formula 0 1 (1 <= 2) <= x; order 0 1; order 0 1;", ERROR_SYNTAX, "integer"},
        {HEAD "order 0 1; take A=3;", ERROR_SYNTAX, "behind the tree"},
        {HEAD "if volume <= 1; if volume <= 1; if volume <= 1; if volume <= 1; if volume <= 1; if volume <= 1; "
              "if volume <= 1;",
         ERROR_SYNTAX, "too deep"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct error error = {0};
        struct size_fit fit;
        CU_ASSERT_EQUAL(size_fit_parse(&arena, cases[i].text, &fit, &error), cases[i].code);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, cases[i].message));
        CU_ASSERT_STRING_EQUAL(error.hint, cases[i].code == ERROR_SCHEMA ? "use a newer cutune" : "");
        arena_free(&arena);
    }
}

CU_TestInfo tests_size_fit[] = {{"formula", test_formula}, {"formulas", test_formulas}, {"text", test_text},
                                {"choice", test_choice},   {"features", test_features}, {"errors", test_errors},
                                CU_TEST_INFO_NULL};
