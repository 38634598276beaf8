/* Fits over sizes: text and choices. */
#include <string.h>

#include <CUnit/Basic.h>

#include "sizes/choose_fit.h"
#include "sizes/size_fit.h"

#define HEAD "fit 1; size ROWS 64 16384; size COLS 1 8; take A=1; take A=2 where (COLS <= 4); "

static const char whole[] = HEAD "if product ROWS COLS <= 4096; if remainder COLS 4 <= 0; order 1 0; order 0 1; "
                                 "if waves2 ROWS COLS 32 <= 2; order 1 0; order 0 1;";

#define WITH_BLOCKS                                                                                                    \
    "fit 2; size ROWS 64 16384; size COLS 1 8; take A=1; take A=2 where (COLS <= 4); "                                 \
    "blocks 0 (ceildiv(ROWS, 32) * COLS); blocks 1 ceildiv(ROWS, 64); "

static const char of_blocks[] = WITH_BLOCKS "if relative_waves 0 1 <= 150; order 1 0; order 0 1;";

/* A fit may decide by the blocks of its configurations, inside and outside of the measured sizes. */
static void test_blocks(void)
{
    static const struct {
        int64_t rows, cols;
        int sm_count;
        size_t chosen;
    } cases[] = {
        {64, 1, 2, 1},                   /* two blocks against one: one wave each */
        {64, 2, 2, 0},                   /* two waves against one */
        {512, 1, 2, 0},                  /* 16 blocks against 8 */
        {512, 1, 16, 1}, {64, 5, 16, 0}, /* not valid */
        {32, 2, 1, 0},                   /* outside: two waves against one */
        {32, 1, 1, 1},   {0, 1, 1, 0},   /* no blocks: the ratio saturates */
    };
    struct arena arena = {0};
    struct text text = {0}, decision = {0};
    struct size_fit fit;
    CU_ASSERT_EQUAL_FATAL(size_fit_parse(&arena, of_blocks, &fit, NULL), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t sizes[] = {cases[i].rows, cases[i].cols};
        CU_ASSERT_EQUAL(size_fit_choose(&fit, sizes, cases[i].sm_count, 0, UINT32_MAX), cases[i].chosen);
    }
    size_fit_print(&fit, &text);
    CU_ASSERT_STRING_EQUAL(text_string(&text), of_blocks);
    size_fit_decision(&fit, &fit.nodes[0], &decision);
    CU_ASSERT_STRING_EQUAL(text_string(&decision), "waves of 0 in per cent of those of 1 <= 150");
    text_free(&decision);
    text_free(&text);
    arena_free(&arena);
}

/* A fit of an earlier program, which decides by formulas, has its sizes and configurations but chooses nothing. */
static void test_earlier(void)
{
    static const char *const texts[] = {
        HEAD "if formula 1 0 ((log2(ROWS, 64) * -9) + ((COLS <= 4) ? 7 : 500)) <= -2900; order 1 0; order 0 1;",
        HEAD "if size ROWS <= 100; if formula 0 1 (log2(gcd(COLS, 8), 64) * 3) <= 5; order 1 0; order 0 1; order 0 1;"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct arena arena = {0};
        struct size_fit fit;
        CU_ASSERT_EQUAL_FATAL(size_fit_parse(&arena, texts[i], &fit, NULL), 0);
        CU_ASSERT_TRUE(fit.earlier);
        CU_ASSERT_EQUAL(fit.size_count, 2);
        CU_ASSERT_EQUAL(fit.configuration_count, 2);
        CU_ASSERT_EQUAL(size_fit_choose(&fit, (const int64_t[]){64, 4}, 1, 0, UINT32_MAX), SIZE_MAX);
        CU_ASSERT_FALSE(size_fit_extrapolates(&fit, (const int64_t[]){64, 4}));
        arena_free(&arena);
    }
}

/* Printed fits read back unchanged. */
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
        {64, 8, 1, 0, false},    /* the first configuration of the order is not valid */
        {16384, 3, 1, 0, false}, /* many waves */
        {16384, 3, 256, 1, false}, {16384, 8, 256, 0, false}, {32768, 3, 512, 1, true},
        {63, 4, 1, 1, true},       {64, 0, 1, 1, true},
    };
    struct arena arena = {0};
    struct size_fit fit;
    CU_ASSERT_EQUAL_FATAL(size_fit_parse(&arena, whole, &fit, NULL), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t sizes[] = {cases[i].rows, cases[i].cols};
        CU_ASSERT_EQUAL(size_fit_choose(&fit, sizes, cases[i].sm_count, 1 << 20, UINT32_MAX), cases[i].chosen);
        CU_ASSERT_EQUAL(size_fit_extrapolates(&fit, sizes), cases[i].extrapolates);
    }
    CU_ASSERT_EQUAL(size_fit_choose(&fit, (const int64_t[]){64, 3}, 1, 0, 2), 1);
    CU_ASSERT_EQUAL(size_fit_choose(&fit, (const int64_t[]){64, 5}, 1, 0, 2), SIZE_MAX);
    CU_ASSERT_EQUAL(size_fit_choose(&fit, (const int64_t[]){64, 3}, 1, 0, 0), SIZE_MAX);
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
        const struct size_fit_node *node = &fit.nodes[0];
        CU_ASSERT_EQUAL(size_feature_value(node, cases[i].sizes[node->a], cases[i].sizes[node->b],
                                           size_fit_volume(cases[i].sizes, 2), cases[i].sm_count, cases[i].l2_bytes),
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
        {"fit 3; anything", ERROR_SCHEMA, "version 3"},
        {"fit 1;", ERROR_SYNTAX, "no end"},
        {"fit 1; wrong;", ERROR_SYNTAX, "character 13"},
        {"fit 1; size ROWS 2 1;", ERROR_SYNTAX, "range"},
        {"fit 1; size ROWS 1;", ERROR_SYNTAX, "range"},
        {"fit 1; size 1 1 2;", ERROR_SYNTAX, "name"},
        {"fit 1; size A 1 2; size A 1 2;", ERROR_SYNTAX, "second"},
        {"fit 1; order 0;", ERROR_SYNTAX, "before there is a configuration"},
        {"fit 1; take A;", ERROR_DATA, ""},
        {"fit 1; take A=1 where;", ERROR_SYNTAX, "expression is missing"},
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
        {HEAD "if relative_waves 0 1 <= 1; order 0 1; order 0 1;", ERROR_SYNTAX, "blocks of this configuration"},
        {WITH_BLOCKS "if relative_waves 0 2 <= 1; order 0 1; order 0 1;", ERROR_SYNTAX, "range"},
        {HEAD "blocks 2 1; order 0 1;", ERROR_SYNTAX, "range"},
        {HEAD "blocks 0; order 0 1;", ERROR_SYNTAX, "expression is missing"},
        {HEAD "blocks 0 ROW; order 0 1;", ERROR_SYNTAX, "character 1 of the condition"},
        {HEAD "order 0 1; blocks 0 1;", ERROR_SYNTAX, "behind the tree"},
        {HEAD "order 0 1; take A=3;", ERROR_SYNTAX, "behind the tree"},
        {HEAD "if volume <= 1; if volume <= 1; if volume <= 1; if volume <= 1; if volume <= 1; if volume <= 1; "
              "if volume <= 1;",
         ERROR_SYNTAX, "too deep"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct error error = {0};
        struct size_fit fit;
        CU_ASSERT_EQUAL(size_fit_parse(&arena, cases[i].text, &fit, &error), (int)cases[i].code);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, cases[i].message));
        CU_ASSERT_STRING_EQUAL(error.hint, cases[i].code == ERROR_SCHEMA ? "use a newer cutune" : "");
        arena_free(&arena);
    }
}

CU_TestInfo tests_size_fit[] = {{"blocks", test_blocks}, {"earlier", test_earlier},   {"text", test_text},
                                {"choice", test_choice}, {"features", test_features}, {"errors", test_errors},
                                CU_TEST_INFO_NULL};
