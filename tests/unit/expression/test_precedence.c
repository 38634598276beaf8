#include "evaluation.h"

/* A misleading expression: its error shows C's reading, and the possible meanings. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wlogical-not-parentheses"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wtautological-constant-out-of-range-compare"
#else
#pragma GCC diagnostic ignored "-Wbool-compare"
#endif
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
static void misleading(void)
{
    const int A = 7, B = 3, Z = 0, E = 1, N = 100;
#define ROW(meant, ...)                                                                                                \
    {                                                                                                                  \
#__VA_ARGS__, meant, (int64_t)(__VA_ARGS__)                                                                    \
    }
    const struct {
        const char *text, *meant;
        int64_t value;
    } rows[] = {
        /* comparisons in a row */
        ROW("1 <= A && A <= 3", 1 <= A <= 3),
        ROW("A > B && B > Z", A > B > Z),
        ROW("A == B && B == Z", A == B == Z),
        ROW("A != B && B == 1", A != B == 1),
        ROW("A < B && B == Z", A < B == Z),
        ROW("A == B && B < N", A == B < N),
        ROW("A<B && N> B", A<B != N> B),
        ROW("A < B && B < N", A < B < N < 200),
        /* a `!` that seems to cover the whole */
        ROW("!(A == 3)", !A == 3),
        ROW("!(A == 1)", !A == 1),
        ROW("!(A == E)", !A == E),
        ROW("!(A != B + 1)", !A != B + 1),
        ROW("!(A < 1)", !A < 1),
        ROW("!(N % 2)", !N % 2),
        ROW("!(N / 2)", !N / 2),
        ROW("!(A & 3)", !A & 3),
        ROW("!((A + B) > 4)", !(A + B) > 4),
        /* bits and comparisons */
        ROW("(A & 63) == 0", A & 63 == 0),
        ROW("(A & B) == B", A & B == B),
        ROW("(A | B) != 7", A | B != 7),
        ROW("(A ^ B) < 3", A ^ B < 3),
        ROW("7 == (A & 3)", 7 == A & 3),
        ROW("(A & B) == B + 1", A & B == B + 1),
        /* shifts and sums */
        ROW("A + (B << 2)", A + B << 2),
        ROW("(1 << B) + 1", 1 << B + 1),
        ROW("(N >> B) - 1", N >> B - 1),
        /* choices */
        ROW("N + (A ? 2 : 1)", N + A ? 2 : 1),
        ROW("N * ((A > B) ? 2 : 1)", N * (A > B) ? 2 : 1),
        ROW("N * (A ? 2 : 1)", N * A ? 2 : 1),
        ROW("N / (B ? 2 : 1)", N / B ? 2 : 1),
        ROW("1 << (A ? 2 : 1)", 1 << A ? 2 : 1),
        ROW("(A > B ? A : B) <= 5", A > B ? A : B <= 5),
        ROW("(Z ? A : B) && N", Z ? A : B && N),
        ROW("(Z ? (A) : B) == 3", Z ? (A) : B == 3),
    };
#undef ROW
    struct space *space = bound(expr_space, "", NULL);
    char buffer[2048], expected[2048], reading[256] = "", hint[sizeof((struct error){0}).hint];
    for (size_t i = 0; space && i < COUNT(rows); i++) {
        const char *message = evaluate_hint(space, rows[i].text, buffer, sizeof buffer, hint);
        const char *as = strstr(message, "' is read as '");
        CU_ASSERT_PTR_NOT_NULL(as);
        snprintf(reading, sizeof reading, "%s", as ? as + strlen("' is read as '") : "");
        *strrchr(reading, '\'') = '\0';
        snprintf(expected, sizeof expected, "%lld", (long long)rows[i].value);
        expect_text(rows[i].text, evaluate(space, reading, buffer, sizeof buffer), expected);
        snprintf(expected, sizeof expected, "write %s; or %s, if that is meant", rows[i].meant, reading);
        expect_text(rows[i].text, hint, expected);
    }
    space_free(space);
}
#pragma GCC diagnostic pop

/* Parentheses resolve any ambiguity. */
static void not_misleading(void)
{
    static const char *const rows[] = {"(1 <= A) <= 1",
                                       "(A == B) == Z",
                                       "(!A) == 1",
                                       "!A == !B",
                                       "!A == (B > Z)",
                                       "!A == 0",
                                       "!A != 0",
                                       "!A & !B",
                                       "!A + 1",
                                       "!A * B",
                                       "A * !B",
                                       "-A == 1",
                                       "~A == 1",
                                       "A & (63 == 0)",
                                       "(A & 63) == 0",
                                       "A == 1 & B == 2",
                                       "A == 1 | !B",
                                       "A & B + 1",
                                       "A << B * 2",
                                       "A << (B + 2)",
                                       "(A << B) + 2",
                                       "A % B ? 1 : 2",
                                       "A & 1 ? 1 : 2",
                                       "(N * A) ? 2 : 1",
                                       "A == B ? N : Z",
                                       "A > B ? A < B : A == B",
                                       "A ? 1 : B == Z",
                                       "A ? 0 : B > Z && A",
                                       "A ? B : Z ? A : N",
                                       "A ? (B == 3) : Z == 0",
                                       "A ? (Z) : B == 3",
                                       "A ? is_pow2(B) : Z == 0",
                                       "A ? (B) : (A == B)",
                                       "A == 1 || B",
                                       "A || (3)",
                                       "A && 1",
                                       "Z || 0",
                                       "A == 1 => B",
                                       "A => B == 1",
                                       "A > B => A > 0 => B",
                                       "A == 1 => (2)",
                                       "A => 1",
                                       "A ^ B",
                                       "A ^ 1",
                                       "(2) ^ A",
                                       "A ^ (2)",
                                       "0x2 ^ A",
                                       "A ^ 0x2",
                                       "1 / 1",
                                       "7 / 2",
                                       "(1) / 2",
                                       "0 / 2",
                                       "1.0 / 2",
                                       "1 / 2.0",
                                       "A / 200",
                                       "~(A + B)",
                                       "(A < B) == 1",
                                       "(A < B) == 3",
                                       "2 > is_pow2(A)",
                                       "(A < B) != 0",
                                       "is_pow2(A) == 1",
                                       "A in {7} && B",
                                       "(A in {7}) == 1",
                                       "min(A, B) == 3",
                                       "A < B + 1",
                                       "A - 1 < B",
                                       "A < B || A == B && N"};
    struct space *space = bound(expr_space, "", NULL);
    char buffer[2048];
    for (size_t i = 0; space && i < COUNT(rows); i++) {
        const char *value = evaluate(space, rows[i], buffer, sizeof buffer);
        if (strchr(value, ':'))
            fprintf(stderr, "\n%s: %s", rows[i], value);
        CU_ASSERT_PTR_NULL(strchr(value, ':'));
    }
    space_free(space);
}

/* Operands that are surprising themselves. */
static void odd_operands(void)
{
    static const struct {
        const char *text, *message, *hint;
    } rows[] = {
        {"A == 16 || 32", "1:9 '32' in 'A == 16 || 32' is always true", "write A == 16 || A == 32"},
        {"A < B && 2", "1:7 '2' in 'A < B && 2' is always true", "write A < B && A < 2"},
        {"3 || A", "1:3 '3' in '3 || A' is always true", "write a condition on each side of ||"},
        {"A in {7} || -8", "1:10 '-8' in 'A in {7} || -8' is always true", "write a condition on each side of ||"},
        {"A || 0.5", "1:3 '0.5' in 'A || 0.5' is always true", "write a condition on each side of ||"},
        {"A => 32", "1:3 'A => 32' is an implication, and between numbers",
         "write A >= 32; or conditions on both sides of =>"},
        {"N => A * B", "1:3 'N => A * B' is an implication, and between numbers",
         "write N >= A * B; or conditions on both sides of =>"},
        {"16 => A > B", "1:4 '16 => A > B' is an implication, and between numbers",
         "write 16 >= A > B; or conditions on both sides of =>"},
        {"2 ^ B", "1:3 '2 ^ B' is the exclusive or of all bits, not a power",
         "write 1 << B; or (2) ^ B, if that is meant"},
        {"10 ^ B", "1:4 '10 ^ B' is the exclusive or of all bits, not a power",
         "write a product; or (10) ^ B, if that is meant"},
        {"A ^ 2", "1:3 'A ^ 2' is the exclusive or of all bits, not a power",
         "write a product; or A ^ (2), if that is meant"},
        {"N * (1 / 2)", "1:8 '1 / 2' is 0: the quotient of integers is an integer", "write 1.0 / 2, or divide last"},
        {"3 / 4 * N", "1:3 '3 / 4' is 0: the quotient of integers is an integer", "write 3.0 / 4, or divide last"},
        {"~(A == 1)", "1:1 '~(A == 1)' is never 0: it is the complement of all bits of 0 or 1", "write !(A == 1)"},
        {"A = 3", "1:3 '=' gives a name its value, and '==' compares", "write A == B"},
        {"A == (B = 3)", "1:9 '=' gives a name its value, and '==' compares", "write A == B"},
    };
    struct space *space = bound(expr_space, "", NULL);
    char buffer[2048], hint[sizeof((struct error){0}).hint];
    for (size_t i = 0; space && i < COUNT(rows); i++) {
        expect_text(rows[i].text, evaluate_hint(space, rows[i].text, buffer, sizeof buffer, hint), rows[i].message);
        expect_text(rows[i].text, hint, rows[i].hint);
    }
    space_free(space);
}

CU_TestInfo tests_precedence[] = {{"misleading expressions", misleading},
                                  {"expressions that do not mislead", not_misleading},
                                  {"odd operands", odd_operands},
                                  CU_TEST_INFO_NULL};
