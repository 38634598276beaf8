/* Requirements of a space on the sizes for one configuration. */
#include <string.h>

#include "language/condition.h"
#include "support.h"

#define HEAD                                                                                                           \
    "space 2\nkernel k \"k.cu\"\nbuffer out float[16] output\nargs out\nreference r block 1 grid 1\nblock 1\n"         \
    "problem N = 100\nproblem M = 7\nproblem X = 1.5\nparam TILE = 16, 32\nparam MODE = row, column\nlet T = "         \
    "ceildiv(N, TILE)\n"

static void test_texts(void)
{
    static const struct {
        const char *statement, *text; /* TILE=32 MODE=column */
        bool complete;
    } rows[] = {
        {"grid 1\n", "", true},
        {"grid 1\nrequire TILE < 64\n", "", true}, /* no size: the configuration is known to be valid */
        {"grid 1\nrequire N % TILE == 0\n", "((N % 32) == 0)", true},
        {"grid 1\nrequire N % (TILE - 31) == 0\n", "", true},
        {"grid 1\nrequire N / (TILE - 31) * (TILE - 31) > 7 && ceildiv(M, TILE / 32) * N > 2\n",
         "((N > 7) && ((M * N) > 2))", true},
        {"grid 1\nrequire (TILE - 31) * N > 7\n", "(N > 7)", true},
        {"grid 1\nrequire (N > 7 ? M : N) && M > 1\n", "(((N > 7) ? M : N) && (M > 1))", true},
        {"grid 1\nrequire N > 2 && (M > 7 ? M : N)\n", "((N > 2) && (((M > 7) ? M : N) != 0))", true},
        {"grid 1\nrequire N > 2 && !M\n", "((N > 2) && !M)", true},
        {"grid 1\nrequire N > 2 && (N < 9 || M > 4)\n", "((N > 2) && ((N < 9) || (M > 4)))", true},
        {"grid 1\nrequire N % (TILE * 2) == 0\n", "((N % 64) == 0)", true},
        {"grid 1\nrequire T * M <= 8\n", "((ceildiv(N, 32) * M) <= 8)", true},
        {"grid 1\nrequire N > 1 && M > 1\n", "((N > 1) && (M > 1))", true},
        {"grid 1\nrequire N > 1 || M\n", "((N > 1) || (M != 0))", true},
        {"grid 1\nrequire TILE == 32 || N > 5\n", "", true},
        {"grid 1\nrequire TILE == 16 || N > 5\n", "(N > 5)", true},
        {"grid 1\nrequire N > 5 || TILE == 32\n", "", true},
        {"grid 1\nrequire !(N > 5 && TILE == 16)\n", "", true},
        {"grid 1\nrequire N > 5 && TILE == 32\n", "((N > 5) && 1)", true},
        {"grid 1\nrequire N > 5 || N > X\n", "", false},
        {"grid 1\nrequire X || N > 5\n", "", false},
        {"grid 1\nrequire (N > 5 ? M : TILE) > 3\n", "(((N > 5) ? M : 32) > 3)", true},
        {"grid 1\nrequire (TILE > 5 ? M : N) > 3\n", "(M > 3)", true},
        {"grid 1\nrequire !(N - -M > min(M, 3))\n", "!((N - (0 - M)) > min(M, 3))", true},
        {"grid 1\nrequire abs(N) > 3\n", "(max(N, (0 - N)) > 3)", true},
        {"grid 1\nrequire MODE == row || N > 5\n", "(N > 5)", true},
        {"grid 1\nrequire N > (MODE == row ? 5 : TILE * 1.5)\n", "", false}, /* a float against a size */
        {"grid 1\nrequire N > (TILE * 1.5 > 40 ? 5 : 6)\n", "(N > 5)", true},
        {"grid 1\nrequire (N > 5 ? row : column) == MODE\n", "", false},    /* a word that depends on a size */
        {"grid 1\nrequire N > X\n", "", false},                             /* a float */
        {"grid 1\nrequire N > 3\nrequire log2(N) > 3\n", "(N > 3)", false}, /* keeps the rest */
        {"grid 1\nrequire N > 3\nrequire (N & 1) == 0\n", "((N > 3) && ((N & 1) == 0))", true},
        {"grid 1\nrequire N >> 3 < (M << 2 | N ^ ~M)\n", "((N >> 3) < ((M << 2) | (N ^ (-1 - M))))", true},
        {"grid 1\nrequire gcd(N, TILE) == 32 && lcm(N, M) < 100\n", "((gcd(N, 32) == 32) && (lcm(N, M) < 100))", true},
        {"grid 1\nrequire N > gcd(N, TILE - 31) + gcd(TILE - 31, N)\n", "(N > 2)", true},
        {"grid 1\nrequire is_pow2(N)\n", "((N > 0) && ((N & (N - 1)) == 0))", true},
        {"grid 1\nrequire is_pow2(N) != 0\n", "((N > 0) && ((N & (N - 1)) == 0))", true},
        {"grid 1\nrequire N in {3, 8..64 step 8, row}\n",
         "(((N == 3) || (((N >= 8) && (N <= 64)) && (((N - 8) % 8) == 0))) || 0)", true},
        {"grid 1\nrequire TILE in {16, 32} || N > 3\n", "", true},
        {"grid 1\nrequire N in {1.5, 2}\n", "", false},
        {"grid 1\nrequire N > 3\nrequire M > 3\n", "((N > 3) && (M > 3))", true},
        {"grid 1\nrequire N < max_threads\n", "(N < 1024)", true},
        {"grid 1\nshared TILE * 4\n", "", true},
        {"grid 1\nshared N % (TILE - 31)\n", "", true},
        {"grid 1\nshared N * TILE\n", "((0 <= (N * 32)) && ((N * 32) <= 232448))", true},
        {"grid 1\nshared N * X\n", "", false},
        {"grid 1, T\n", "((1 <= ceildiv(N, 32)) && (ceildiv(N, 32) <= 65535))", true},
    };
    const struct device_limits limits = h200_limits();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = NULL;
        struct text source = {0}, text = {0};
        struct error error = {0};
        uint32_t choices[2];
        text_printf(&source,
                    HEAD "%s"
                         "default TILE=32 MODE=column\n",
                    rows[i].statement);
        int code = space_parse_text(&space, "c.space", text_string(&source), source.length, "", &error);
        expect_text(rows[i].statement, error.message, "");
        CU_ASSERT_EQUAL_FATAL(code, 0);
        CU_ASSERT_EQUAL_FATAL(space_config_parse(space, "TILE=32 MODE=column", choices, NULL), 0);
        CU_ASSERT_EQUAL(space_condition(space, &limits, choices, 0, &text), rows[i].complete);
        expect_text(rows[i].statement, text_string(&text), rows[i].text);
        text_free(&text);
        text_free(&source);
        space_free(space);
    }
}

/* The condition of a space with the statements behind its parameter, for TILE=32. */
static void expect_condition(const char *statements, int64_t static_bytes, const char *expected, bool complete)
{
    const struct device_limits limits = h200_limits();
    struct space *space = NULL;
    struct text source = {0}, text = {0};
    struct error error = {0};
    text_printf(&source,
                "space 2\nkernel k \"k.cu\"\nproblem N = 100\nparam TILE = 16, 32\nbuffer out float[16] output\n%s"
                "default TILE=32\n",
                statements);
    int code = space_parse_text(&space, "c.space", text_string(&source), source.length, "", &error);
    expect_text(statements, error.message, "");
    CU_ASSERT_EQUAL_FATAL(code, 0);
    CU_ASSERT_EQUAL(space_condition(space, &limits, (uint32_t[]){1}, static_bytes, &text), complete);
    expect_text(statements, text_string(&text), expected);
    text_free(&text);
    text_free(&source);
    space_free(space);
}

/* Demands of a launch count if the configuration has it. */
static void test_launches(void)
{
    static const struct {
        const char *when, *text; /* TILE=32 */
        bool complete;
    } rows[] = {
        {"", "((1 <= (N / 2)) && ((N / 2) <= 2147483647))", true},
        {"when TILE == 32", "((1 <= (N / 2)) && ((N / 2) <= 2147483647))", true},
        {"when TILE == 16", "", true},
        {"when N % TILE == 0", "(!((N % 32) == 0) || ((1 <= (N / 2)) && ((N / 2) <= 2147483647)))", true},
        {"when N * 1.5 > 7", "", false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct text statements = {0};
        text_printf(&statements,
                    "launch j args out block 1 grid N / 2 %s\nlaunch k args out block 1 grid 1\nreference r args out "
                    "block 1 grid 1\n",
                    rows[i].when);
        expect_condition(text_string(&statements), 0, rows[i].text, rows[i].complete);
        text_free(&statements);
    }
}

/* Blocks that depend on the sizes. */
static void test_blocks(void)
{
    static const struct {
        const char *block, *text; /* TILE=32 */
        bool complete;
    } rows[] = {
        {"TILE, 4", "", true},
        {"N", "(((1 <= N) && (N <= 1024)) && (N <= 1024))", true},
        {"TILE, ceildiv(N, TILE)",
         "(((1 <= ceildiv(N, 32)) && (ceildiv(N, 32) <= 1024)) && ((32 * ceildiv(N, 32)) <= 1024))", true},
        {"1, 1, N", "(((1 <= N) && (N <= 64)) && (N <= 1024))", true},
        {"N, 2.5 * N", "((1 <= N) && (N <= 1024))", false},
        {"N * 1.5", "", false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct text statements = {0};
        text_printf(&statements, "args out\nblock %s\ngrid 1\nreference r block 1 grid 1\n", rows[i].block);
        expect_condition(text_string(&statements), 0, rows[i].text, rows[i].complete);
        text_free(&statements);
    }
}

/* Static shared memory leaves less for the dynamic one. */
static void test_static_shared(void)
{
    expect_condition("args out\nblock 32\ngrid 1\nshared N * 4\nreference r block 1 grid 1\n", 448,
                     "((0 <= (N * 4)) && ((N * 4) <= 232000))", true);
}

/* Demands of techniques are included, as in runs. */
static void test_techniques(void)
{
    static const struct {
        const char *statements, *text; /* TILE=32 */
    } rows[] = {
        {"block 1\ngrid N\ncluster 2\n", "(((1 <= N) && (N <= 2147483647)) && ((N % 2) == 0))"},
        {"block 1\ngrid N\ncluster TILE / 32\n", "((1 <= N) && (N <= 2147483647))"},
        {"block 1\ngrid 4, N\ncluster 2, TILE / 8\n", "(((1 <= N) && (N <= 65535)) && ((N % 4) == 0))"},
        {"block 1\ngrid resident\ncluster 2\n", ""},
        {"block 1\ngrid 8\ncluster N\n", "((8 % N) == 0)"},
        {"block 1\ngrid 1\nl2_window in bytes N * TILE set_aside 0\n",
         "(((N * 32) <= 134217728) && ((N * 32) <= (N * 4)))"},
        {"block 1\ngrid 1\npipeline copy_in in split TILE over 2\n", "((N % 32) == 0)"},
        {"block 1\ngrid 1\npipeline copy_in in split N over 2\n", "((N % N) == 0)"},
        {"block 1\ngrid 1\ngraph 1\n", ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct text statements = {0};
        text_printf(&statements, "buffer in float[N] random\nargs out, in\n%sreference r args out block 1 grid 1\n",
                    rows[i].statements);
        expect_condition(text_string(&statements), 0, rows[i].text, true);
        text_free(&statements);
    }
}

/* For any device: names of the limits in which architectures differ; and the same for a bound space. */
static void test_requirements(void)
{
    static const struct {
        const char *statements, *text; /* TILE=32 */
    } rows[] = {
        {"block 1\ngrid 1\n", ""},
        {"block TILE * 32\ngrid N\n", "((1 <= N) && (N <= 2147483647))"},
        {"block TILE * 33\ngrid 1\n", ""}, /* all architectures have the same limit, so that it is known to hold */
        {"block 1\ngrid 1\nshared TILE * 1024\n", ""}, /* all architectures have that much */
        {"block 1\ngrid 1\nshared TILE * 2048\n", ""},
        {"block 1\ngrid 1\nshared TILE * 2048 + 1\n", "(65537 <= shared_limit)"},
        {"block 1\ngrid 1\nrequire max_threads_sm >= 33 * TILE && sm_count > 3\n",
         "((max_threads_sm >= 1056) && (sm_count > 3))"},
        {"block 1\ngrid 1\nrequire max_threads_sm >= 32 * TILE && sm_count > 3\n", "(sm_count > 3)"},
        {"block 1\ngrid 1\nrequire -shared_limit <= -80000 && (shared_limit || N) && abs(cc) >= 5\n",
         "((((0 - shared_limit) <= -80000) && (shared_limit || (N != 0))) && (max(cc, (0 - cc)) >= 5))"},
        {"block 1\ngrid 1\nrequire TILE == 32 => cc >= 90\n", "(cc >= 90)"},
        {"block 1\ngrid 1\nrequire TILE == 16 => cc >= 90\n", ""},
        {"block 1\ngrid N / 2\ncluster 2\nrequire N < sm_count\n",
         "(((N < sm_count) && ((1 <= (N / 2)) && ((N / 2) <= 2147483647))) && ((cluster_launch != 0) && (((N / 2) % 2) "
         "== "
         "0)))"},
        {"block 1\ngrid 1\nrequire N < max_threads\n", "(N < 1024)"},
        {"block 1\ngrid 1\nbuffer s float[N * TILE] scratch\n", ""}, /* others may use memory as well */
    };
    for (size_t i = 0; i < 2 * COUNT(rows); i++) {
        const struct device_limits limits = h200_limits();
        struct space *space = NULL;
        struct text source = {0}, text = {0};
        struct error error = {0};
        text_printf(&source,
                    "space 2\nkernel k \"k.cu\"\nproblem N = 100\nparam TILE = 16, 32\nbuffer out float[16] output\n%s"
                    "args out%s\nreference r args out block 1 grid 1\ndefault TILE=32\n",
                    rows[i / 2].statements, strstr(rows[i / 2].statements, "scratch") ? ", s" : "");
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "c.space", text_string(&source), source.length, "", &error), 0);
        if (i % 2)
            CU_ASSERT_EQUAL(space_bind(space, NULL, 0, &limits, &error), 0);
        CU_ASSERT(space_requirement(space, (uint32_t[]){1}, false, &text));
        expect_text(rows[i / 2].statements, text_string(&text), rows[i / 2].text);
        text_free(&text);
        text_free(&source);
        space_free(space);
    }
}

/* Many conditions stay flat enough to be read back: each level of nesting has twice as many. */
static void test_many(void)
{
    struct text statements = {0}, text = {0};
    struct space *space = NULL;
    struct error error = {0};
    text_printf(&statements, "%sgrid 1\n", HEAD);
    for (int i = 0; i < 100; i++)
        text_printf(&statements, "require N > %d\n", i);
    text_printf(&statements, "default TILE=16 MODE=row\n");
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "c.space", statements.bytes, statements.length, "", &error), 0);
    CU_ASSERT(space_requirement(space, (uint32_t[]){0, 0}, false, &text));
    int depth = 0, deepest = 0;
    for (const char *c = text_string(&text); *c; c++) {
        depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
        deepest = depth > deepest ? depth : deepest;
    }
    CU_ASSERT_EQUAL(deepest, 8);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&text), "(N > 99)"));
    text_free(&text);
    text_free(&statements);
    space_free(space);
}

/* Without a device, conditions on its limits are unknown. */
static void test_no_device(void)
{
    static const char source[] = HEAD "grid T\nrequire N < max_threads\nrequire M > 1\ndefault TILE=16 MODE=row\n";
    struct space *space = NULL;
    struct text text = {0};
    const uint32_t choices[] = {0, 0};
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "c.space", source, sizeof source - 1, "", NULL), 0);
    CU_ASSERT_FALSE(space_condition(space, NULL, choices, 0, &text));
    expect_text("no device", text_string(&text), "(M > 1)");
    text_free(&text);
    space_free(space);
}

/* One expression, with a device of which only some limits are known. */
static void test_expressions(void)
{
    static const struct {
        const char *expression, *text; /* NULL: it has none */
    } rows[] = {{"N * TILE", "(N * 32)"},
                {"TILE", "32"},
                {"N * sm_count", "(N * 7)"},
                {"N * warp", NULL},
                /* unknown */ {"TILE * 1.5", NULL}};
    const struct device_limits limits = {.sm_count = 7};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = NULL;
        struct text source = {0}, text = {0};
        struct error error = {0};
        uint32_t choices[2];
        text_printf(&source, HEAD "grid 1\nshared %s\ndefault TILE=32 MODE=column\n", rows[i].expression);
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "c.space", text_string(&source), source.length, "", &error), 0);
        CU_ASSERT_EQUAL_FATAL(space_config_parse(space, "TILE=32 MODE=column", choices, NULL), 0);
        CU_ASSERT_EQUAL(space_expression(space, space->steps[0].shared, &limits, choices, &text), rows[i].text != NULL);
        expect_text(rows[i].expression, text_string(&text), rows[i].text ? rows[i].text : "");
        text_free(&text);
        text_free(&source);
        space_free(space);
    }
}

CU_TestInfo tests_condition[] = {{"texts", test_texts},
                                 {"launches", test_launches},
                                 {"blocks", test_blocks},
                                 {"static shared memory", test_static_shared},
                                 {"no device", test_no_device},
                                 {"expressions", test_expressions},
                                 {"techniques", test_techniques},
                                 {"for any device", test_requirements},
                                 {"many", test_many},
                                 CU_TEST_INFO_NULL};
