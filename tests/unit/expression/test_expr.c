#include "../language/same.h"
#include "evaluation.h"

/* The C compiler evaluates the same text. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
static void precedence_as_in_c(void)
{
    const int A = 7, B = 3, Z = 0, N = 100;
#define ROW(...)                                                                                                       \
    {                                                                                                                  \
#__VA_ARGS__, (int64_t)(__VA_ARGS__)                                                                           \
    }
    const struct {
        const char *text;
        int64_t expected;
    } rows[] = {
        ROW(A + B * N),
        ROW(A * B + N),
        ROW(A - B - Z - 1),
        ROW(N / A / B),
        ROW(N / A * B),
        ROW(N % A * B),
        ROW(-A + B),
        ROW(-A * -B),
        ROW(N >> 2 > A),
        ROW(A & 5 ^ 1 | 8),
        ROW(A | B ^ N & 12),
        ROW(A ^ B & 1),
        ROW(A || B && Z),
        ROW(Z && B || A),
        ROW(A | Z && Z),
        ROW(Z   ? A
            : Z ? B
                : N),
        ROW(A ? Z ? 1 : 2 : 3),
        ROW(A > B ? A - B : B - A),
        ROW(A == 7 ? 1 : 0 + 5),
        ROW(!A + 1),
        ROW(!(A + 1)),
        ROW(!Z + 1 == 2),
        ROW(~A & 0xff),
        ROW(-~A),
        ROW(- -A),
        ROW((A + B) * (N - A) % (B + 2) << 1),
        ROW(A >= 7 && B <= 3 || N < 0),
        ROW((A + B > N - 95) == 1 && ((Z == 0) | 0)),
        ROW(A > B & B > Z),
    };
#undef ROW
    struct space *space = bound(expr_space, "", NULL);
    char buffer[2048], expected[32];
    for (size_t i = 0; space && i < COUNT(rows); i++) {
        snprintf(expected, sizeof expected, "%lld", (long long)rows[i].expected);
        expect_text(rows[i].text, evaluate(space, rows[i].text, buffer, sizeof buffer), expected);
    }
    space_free(space);
}
#pragma GCC diagnostic pop

/* Sizes at the documented limits, and one beyond. */
static void limits_of_size(void)
{
    struct space *space = bound(expr_space, "", NULL);
    char text[8192], buffer[2048];
    static const struct {
        const char *open, *close;
        int count;
        const char *expected;
    } rows[] = {
        {"(", ")", EXPR_DEPTH_MAX - 1, "7"},
        {"(", ")", EXPR_DEPTH_MAX, "1:65 the expression is nested too deeply"},
        {"-", "", EXPR_DEPTH_MAX - 2, "7"},
        {"~", "", EXPR_DEPTH_MAX + 1, "1:65 the expression is nested too deeply"},
        {"1 ? ", " : 2", EXPR_DEPTH_MAX - 1, "7"},
        {"1 ? ", " : 2", EXPR_DEPTH_MAX, "1:257 the expression is nested too deeply"},
        {"abs(", ")", 100000, "1:257 the expression is nested too deeply"},
        {"Z + ", "", EXPR_PARTS_MAX / 2 - 1, "7"},
        {"Z + ", "", EXPR_PARTS_MAX / 2, "1:2047 the expression is too long: more than 1024 operators and operands"},
    };
    for (size_t i = 0; space && i < COUNT(rows); i++) {
        size_t at = 0, most = (sizeof text - 4) / (strlen(rows[i].open) + strlen(rows[i].close));
        int count = (size_t)rows[i].count < most ? rows[i].count : (int)most;
        for (int n = 0; n < count; n++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s", rows[i].open);
        at += (size_t)snprintf(text + at, sizeof text - at, "A");
        for (int n = 0; n < count; n++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s", rows[i].close);
        expect_text(rows[i].open, evaluate(space, text, buffer, sizeof buffer), rows[i].expected);
    }
    space_free(space);
}

static void what_is_used(void)
{
    static const char text[] = SPACE_HEAD SPACE_SHAPE "param A = 1\nparam B = 1\nparam C = 1\n"
                                                      "require A  +\t\\\n   C < 2 # both\nrequire warp && B\n";
    struct space *space = parsed(text, "");
    if (!space)
        return;
    const struct expr *first = space->constraints[0].condition, *second = space->constraints[1].condition;
    CU_ASSERT_EQUAL(first->parameters, 5);
    CU_ASSERT_FALSE(first->uses_limits);
    CU_ASSERT_EQUAL(second->parameters, 2);
    CU_ASSERT_TRUE(second->uses_limits);
    CU_ASSERT_STRING_EQUAL(space->constraints[0].text, "A + C < 2");
    CU_ASSERT_EQUAL(first->line, 11);
    CU_ASSERT_EQUAL(first->column, 9);
    space_free(space);
}

/* True if the expression is rejected as misleading, which also shows its precedence. */
static bool misleads(const char *sign, int length, const char *tighter, int tighter_length)
{
    char text[512], reading[64];
    struct space *space = NULL;
    struct error error = {0};
    snprintf(text, sizeof text,
             SPACE_HEAD SPACE_SHAPE "param X = 0..3\nparam Y = 0..3\nparam Z = 0..3\n"
                                    "require X %.*s Y %.*s Z",
             length, sign, tighter_length, tighter);
    snprintf(reading, sizeof reading, "is read as 'X %.*s (Y %.*s Z)'", length, sign, tighter_length, tighter);
    int code = space_parse_text(&space, "t.space", text, strlen(text), "int r, k;", &error);
    space_free(space);
    CU_ASSERT(!code || strstr(error.message, reading));
    return code != 0;
}

/* The manual lists the operators by precedence: of two rows, the first binds tighter. */
static void listed_precedence(void)
{
    static const char params[] = "param X = 0..3\nparam Y = 0..3\nparam Z = 0..3\n";
    const char *tighter = NULL;
    for (size_t i = 0; i < expr_operators_count; i++) {
        const char *sign = expr_operators[i].signs;
        int length = (int)strcspn(sign, " "), tighter_length = tighter ? (int)strcspn(tighter, " ") : 0;
        char plain[256], parenthesised[256];
        CU_ASSERT(*expr_operators[i].meaning);
        if (i == 0 || strcmp(sign, "?:") == 0) /* not between two values */
            continue;
        if (tighter && misleads(sign, length, tighter, tighter_length)) {
            tighter = sign;
            continue;
        }
        snprintf(plain, sizeof plain, "%srequire (X %.*s Y %.*s Z) + 0 != 2", params, length, sign, tighter_length,
                 tighter ? tighter : "");
        snprintf(parenthesised, sizeof parenthesised, "%srequire (X %.*s (Y %.*s Z)) + 0 != 2", params, length, sign,
                 tighter_length, tighter ? tighter : "");
        if (tighter)
            expect_same(plain, parenthesised);
        tighter = sign;
    }
}

/* Python's words are ordinary names and words if the space declares them. */
static void words_of_python(void)
{
    expect_same("param is = 1, 2\nparam M = True, not\nrequire is == 1 && M == not",
                "param is = 1, 2\nparam M = True, not\nrequire !(is == 2) && M != True");
}

CU_TestInfo tests_expr[] = {{"listed precedence", listed_precedence},  {"precedence as in C", precedence_as_in_c},
                            {"limits of size", limits_of_size},        {"words of Python", words_of_python},
                            {"what an expression uses", what_is_used}, CU_TEST_INFO_NULL};
