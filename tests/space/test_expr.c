#include "space/expr.h"
#include "space/private.h"
#include "support.h"

/* Parameters A=7 B=3 Z=0 F=2.5 W=red V=blue M=-9223372036854775808, problem N=100, the limits of an H200. */
static const char expr_space[] = SPACE_HEAD SPACE_SHAPE "problem N = 100\nparam A = 7\nparam B = 3\nparam Z = 0\n"
                                                        "param F = 2.5\nparam W = red\nparam V = blue\n"
                                                        "param M = -9223372036854775808\n";

/* The value as text, or the error's message. */
static const char *evaluate(struct space *space, const char *text, char *buffer, size_t room)
{
    static const struct expr_rules rules = {true, true, true, true, ""};
    const struct expr *expr = NULL;
    struct error error = {0};
    struct value values[SPACE_PARAMETERS_MAX], value;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values};
    struct source_text *source = arena_alloc(&space->arena, sizeof *source);
    struct lexer lexer;
    *source = (struct source_text){.path = "expr", .text = text, .length = strlen(text)};
    space_default(space, choices);
    space_values(space, choices, values);
    lexer_start(&lexer, source, &error);
    if (lexer_next(&lexer) || expr_compile(space, &lexer, &rules, "test", &expr) ||
        expr_eval(expr, &inputs, &value, &error))
        snprintf(buffer, room, "%d:%d %s", error.line, error.column, error.message);
    else if (lexer.token.kind != TOKEN_END)
        snprintf(buffer, room, "rest: %.*s", (int)lexer.token.length, lexer.token.start);
    else
        value_text(&value, buffer, room);
    return buffer;
}

struct expr_row {
    const char *text, *expected;
};

static void run_rows(const struct expr_row *rows, size_t count)
{
    struct device_limits limits = h200_limits();
    struct space *space = bound(expr_space, "", &limits);
    char buffer[2048];
    for (size_t i = 0; space && i < count; i++)
        expect_text(rows[i].text, evaluate(space, rows[i].text, buffer, sizeof buffer), rows[i].expected);
    space_free(space);
}

static void values(void)
{
    static const struct expr_row rows[] = {
        {"1", "1"},
        {"0x1F", "31"},
        {"1.5", "1.5"},
        {".5", "0.5"},
        {"1e3", "1000.0"},
        {"2.", "2.0"},
        {"1e-7", "1e-07"},
        {"0.1", "0.1"},
        {"1.0 / 3", "0.3333333333333333"},
        {"9223372036854775807", "9223372036854775807"},
        {"M", "-9223372036854775808"},
        {"A", "7"},
        {"F", "2.5"},
        {"W", "red"},
        {"N", "100"},
        {"warp", "32"},
        {"shared_limit", "232448"},
        {"red", "red"},
        {"A + F", "9.5"},
        {"A / B", "2"},
        {"-A / B", "-2"},
        {"A % B", "1"},
        {"-A % B", "-1"},
        {"A % -B", "1"},
        {"M % -1", "0"},
        {"A / 2.0", "3.5"},
        {"A * F", "17.5"},
        {"7 - F", "4.5"},
        {"~A", "-8"},
        {"A & 5", "5"},
        {"A | 8", "15"},
        {"A ^ 2", "5"},
        {"1 << 62", "4611686018427387904"},
        {"-1 << 63", "-9223372036854775808"},
        {"Z << 63", "0"},
        {"-8 >> 1", "-4"},
        {"A == 7.0", "1"},
        {"A != 7", "0"},
        {"F > 2", "1"},
        {"9223372036854775807 > 9223372036854775806", "1"},
        {"W == red", "1"},
        {"W == V", "0"},
        {"W != blue", "1"},
        {"W == 1", "0"},
        {"W != 1", "1"},
        {"!A", "0"},
        {"!Z", "1"},
        {"!0.5", "0"},
        {"A ? 10 : 20", "10"},
        {"Z ? 10 : 20", "20"},
        {"Z ? 1 : A == 7 ? 2 : 3", "2"},
        {"A ? W : V", "red"},
        {"(A ? 1 : 2) + 3", "4"},
        {"(Z ? 1 : 2) + 3", "5"},
        {"3 + (Z ? 1 : 2)", "5"},
        {"-(Z ? 1 : 2)", "-2"},
        {"(A && 1) + 1", "2"},
        {"A && B", "1"},
        {"A && 0.0", "0"},
        {"Z || 0.5", "1"},
        {"Z || Z", "0"},
        {"min(A, B)", "3"},
        {"max(A, B, 9, Z)", "9"},
        {"min(A, F)", "2.5"},
        {"max(1, 2)", "2"},
        {"ceildiv(A, B)", "3"},
        {"ceildiv(6, B)", "2"},
        {"ceildiv(-A, B)", "-2"},
        {"ceildiv(-A, -B)", "3"},
        {"ceildiv(A, 2.0)", "4.0"},
        {"log2(1)", "0"},
        {"log2(N * 0 + 1024)", "10"},
        {"log2(8.0)", "3.0"},
        {"log2(6) > 2.58 && log2(6) < 2.59", "1"},
        {"abs(-A)", "7"},
        {"abs(A)", "7"},
        {"abs(-F)", "2.5"},
        {"sizeof(float)", "4"},
        {"sizeof(double2) * 2", "32"},
        {"sizeof(bfloat16)", "2"},
        {"is_pow2(64)", "1"},
        {"is_pow2(A)", "0"},
        {"is_pow2(Z)", "0"},
        {"is_pow2(M)", "0"},
        {"gcd(12, 18)", "6"},
        {"gcd(-A * 6, 4, 10)", "2"},
        {"gcd(Z, Z)", "0"},
        {"gcd(M, A)", "1"},
        {"gcd(A, Z)", "7"},
        {"lcm(4, 6)", "12"},
        {"lcm(-A, B, 2)", "42"},
        {"lcm(A, Z)", "0"},
        {"A in {7}", "1"},
        {"A in {1, 2, 3..6, 8..64 step 8}", "0"},
        {"A in {1..64 step 3}", "1"},
        {"A in {1..64 times 2, 6..8}", "1"},
        {"B * 16 in {3..96 times 2}", "1"},
        {"A in {2..4611686018427387904 times 2, 9..4611686018427387904 times 2}", "0"}, /* long lists */
        {"A in {2..4611686018427387904 times 2, 9..4611686018427387904 times 2, 7}", "1"},
        {"A - 5 in {2..4611686018427387904 times 2, 9..4611686018427387904 times 2, 7}", "1"},
        {"B * 15 in {3..96 times 2}", "0"},
        {"M in {-9223372036854775808..0 step 4611686018427387904}", "1"},
        {"M + 1 in {-9223372036854775808..9223372036854775807 step 2}", "0"},
        {"F in {2.5}", "1"},
        {"F in {2..3}", "0"},
        {"F * 2 in {1..9 step 2}", "1"},
        {"1e300 in {1..9223372036854775807}", "0"},
        {"A in {7.0}", "1"},
        {"W in {blue, red}", "1"},
        {"W in {1, blue, 2.5}", "0"},
        {"W in {1..5}", "0"},
        {"A in {red, 7}", "1"},
        {"7 in {7} in {1}", "1"},
        {"!(A in {7})", "0"},
        {"!A in {0}", "1"},
        {"A + 1 in {8}", "1"},
        {"A in {7} == 1", "1"},
        {"1 == A in {7}", "1"},
        {"A in {7} && W in {red}", "1"},
        {"A => B", "1"},
        {"A => Z", "0"},
        {"Z => Z", "1"},
        {"Z => 1 / Z", "1"},
        {"A => 0.5", "1"},
        {"Z => Z => Z", "1"},
        {"(Z => Z) => Z", "0"},
        {"A || 1 => Z", "0"},
        {"A => Z ? 1 : 1", "1"},
        {"Z ? 1 : A => Z", "0"},
        {"(Z => A) + 1", "2"},
        {"1 => A", "1"},
        /* short circuits: the other side has no value */
        {"Z && 1 / Z", "0"},
        {"A || 1 / Z", "1"},
        {"Z ? 1 / Z : 5", "5"},
        {"A ? 5 : 1 / Z", "5"},
    };
    run_rows(rows, COUNT(rows));
}

static void faults(void)
{
    static const struct expr_row rows[] = {
        {"A / Z", "1:3 division by zero: 7 / 0, in test"},
        {"A % Z", "1:3 division by zero: 7 % 0, in test"},
        {"F / Z", "1:3 division by zero: 2.5 / 0, in test"},
        {"ceildiv(A, Z)", "1:1 division by zero: ceildiv(7, 0), in test"},
        {"M / -1", "1:3 overflow of a 64-bit integer: -9223372036854775808 / -1, in test"},
        {"ceildiv(M, -1)", "1:1 overflow of a 64-bit integer: ceildiv(-9223372036854775808, -1), in test"},
        {"-M", "1:1 overflow of a 64-bit integer: -(-9223372036854775808), in test"},
        {"abs(M)", "1:1 overflow of a 64-bit integer: abs(-9223372036854775808), in test"},
        {"M - 1", "1:3 overflow of a 64-bit integer: -9223372036854775808 - 1, in test"},
        {"9223372036854775807 + B", "1:21 overflow of a 64-bit integer: 9223372036854775807 + 3, in test"},
        {"M * 2", "1:3 overflow of a 64-bit integer: -9223372036854775808 * 2, in test"},
        {"A << 62", "1:3 overflow of a 64-bit integer: 7 << 62, in test"},
        {"A << 64", "1:3 a shift is by 0 to 63 bits: 7 << 64, in test"},
        {"A >> -1", "1:3 a shift is by 0 to 63 bits: 7 >> -1, in test"},
        {"F * 1e308", "1:3 the result is not a finite number: 2.5 * 1e+308, in test"},
        {"F % 2", "1:3 the operator takes integers only: 2.5 % 2, in test"},
        {"~F", "1:1 the operator takes integers only: ~2.5, in test"},
        {"log2(Z)", "1:1 only positive numbers have a logarithm: log2(0), in test"},
        {"log2(-F)", "1:1 only positive numbers have a logarithm: log2(-2.5), in test"},
        {"is_pow2(F)", "1:1 the operator takes integers only: is_pow2(2.5), in test"},
        {"gcd(F, 2)", "1:1 the operator takes integers only: gcd(2.5, 2), in test"},
        {"gcd(M, Z)", "1:1 overflow of a 64-bit integer: gcd(-9223372036854775808, 0), in test"},
        {"lcm(M, 1)", "1:1 overflow of a 64-bit integer: lcm(-9223372036854775808, 1), in test"},
        {"lcm(4611686018427387904, B)", "1:1 overflow of a 64-bit integer: lcm(4611686018427387904, 3), in test"},
        {"W => A", "1:3 a word can only be compared, with == or !=: !red, in test"},
        {"A => W", "1:3 a word is neither true nor false: red, in test"},
        {"W + 1", "1:3 a word can only be compared, with == or !=: red + 1, in test"},
        {"W < V", "1:3 a word can only be compared, with == or !=: red < blue, in test"},
        {"-W", "1:1 a word can only be compared, with == or !=: -red, in test"},
        {"W && A", "1:3 a word is neither true nor false: red, in test"},
        {"A && W", "1:3 a word is neither true nor false: red, in test"},
        {"W ? 1 : 2", "1:3 a word is neither true nor false: red, in test"},
        {"1 / 0", "1:3 division by zero: 1 / 0"},
        {"A == 7 7", "rest: 7"},
    };
    run_rows(rows, COUNT(rows));
}

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
        ROW(A + B << 2),
        ROW(1 << B + 1),
        ROW(N >> 2 > A),
        ROW(A < B == Z),
        ROW(A == B < N),
        ROW(A & B == B),
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
        ROW(A<B != N> B),
        ROW(A >= 7 && B <= 3 || N < 0),
        ROW(A + B > N - 95 == 1 && Z == 0 | 0),
    };
#undef ROW
    struct space *space = bound(expr_space, "", NULL);
    char buffer[1024], expected[32];
    for (size_t i = 0; space && i < COUNT(rows); i++) {
        snprintf(expected, sizeof expected, "%lld", (long long)rows[i].expected);
        expect_text(rows[i].text, evaluate(space, rows[i].text, buffer, sizeof buffer), expected);
    }
    space_free(space);
}
#pragma GCC diagnostic pop

/* As deep and as long as documented, and one more. */
static void limits_of_size(void)
{
    struct space *space = bound(expr_space, "", NULL);
    char text[8192], buffer[1024];
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
        {"Z + ", "", EXPR_CODE_MAX / 2 - 1, "7"},
        {"Z + ", "", EXPR_CODE_MAX / 2, "1:2047 the expression is too long: more than 1024 operators and operands"},
        {"Z||Z&&Z|Z^Z&Z==Z<Z<<Z+Z*(", ")", 40,
         "1:801 the expression is too complex: more than 256 values wait for operators"},
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

static void floats_read_back(void)
{
    static const double numbers[] = {0.1, 1.0 / 3, 1e22, 1e-300, 123456.0, 1e15, 4.9e-324, -2.5, 1e300, 0.0};
    for (size_t i = 0; i < COUNT(numbers); i++) {
        struct value value = {.kind = VALUE_FLOAT, .real = numbers[i]}, back;
        char text[VALUE_TEXT_BYTES];
        CU_ASSERT_TRUE(value_read(value_text(&value, text, sizeof text), &back));
        CU_ASSERT_TRUE(value_equal(&value, &back));
        CU_ASSERT_PTR_NOT_NULL(strpbrk(text, ".e"));
    }
}

CU_TestInfo tests_expr[] = {{"values", values},
                            {"faults", faults},
                            {"precedence as in C", precedence_as_in_c},
                            {"limits of size", limits_of_size},
                            {"what an expression uses", what_is_used},
                            {"floats read back", floats_read_back},
                            CU_TEST_INFO_NULL};
