/* T1 descriptions: what becomes of values, conditions and defaults, and where errors are shown. That translated
 * conditions mean the same is tested against Python itself (tests/t1/). */
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "exchange/t1.h"

static int import(const char *json, struct text *space, struct text *notes, struct error *error)
{
    return t1_import("folder/file.json", json, strlen(json), space, notes, error);
}

/* The import has this line; or, with `expected` NULL, it fails. */
static void check_line(const char *json, const char *expected)
{
    struct text space = {0}, notes = {0};
    struct error error = {0};
    char message[4096];
    int code = import(json, &space, &notes, &error);
    if (code)
        fprintf(stderr, "\n%s\n%s", json, error_format(&error, message, sizeof message));
    else if (!strstr(text_string(&space), expected))
        fprintf(stderr, "\n%s\nhas no line %s:\n%s", json, expected, text_string(&space));
    CU_ASSERT_EQUAL(code, 0);
    CU_ASSERT(!code && strstr(text_string(&space), expected));
    text_free(&space);
    text_free(&notes);
}

/* ---- Values ---- */

static const char *const values[][2] = {
    {"[1, 2, 3]", "1, 2, 3"},
    {"[1, 2, 3, 4]", "1..4"},
    {"[16, 32, 48, 64]", "16..64 step 16"},
    {"[1, 2, 4, 8]", "1..8 times 2"},
    {"[8, 4, 2, 1]", "8, 4, 2, 1"},
    {"[1, 2, 4, 8, 16] + list(range(32, 1024+1, 32))", "1..64 times 2, 96..1024 step 32"},
    {"[2**i for i in range(0, 6)]", "1..32 times 2"},
    {"[i for i in range(1, 11)]", "1..10"},
    {"[1] + [2 * i for i in range(1, 4)]", "1, 2, 4, 6"},
    {"list(range(5, 0, -2))", "5, 3, 1"},
    {"range(3)", "0, 1, 2"},
    {"tuple(range(2))", "0, 1"},
    {"(7,)", "7"},
    {"[i for i in range(20) if i % 7 == 3 and i > 3]", "10, 17"},
    {"[i * j for i in [1, 10] for j in (1, 2)]", "1, 2, 10, 20"},
    {"[x if x > 1 else -x for x in [1, 2]]", "-1, 2"},
    {"[0.25, 1.0, 1e3, .5]", "0.25, 1.0, 1000.0, 0.5"},
    {"[7 / 2, 7 // 2, -7 // 2, -7 % 3, 2 ** -1]", "3.5, 3, -4, 2, 0.5"},
    {"['row', 'col_major']", "row, col_major"},
    {"[True, False]", "1, 0   # True is 1, False is 0"},
    {"[0x10, 0b11, 0o17, 1_000]", "16, 3, 15, 1000"},
    {"[min(3, 4), max([1, 9]), abs(-5), sum([1, 1]), len([0]), int(6.9)]", "3, 9, 5, 2, 1, 6"},
    {"sorted([3, 1, 2], )", "1, 2, 3"},
    {"[1 << 4, 12 & 10, 12 | 3, 12 ^ 10, ~0]", "16, 8, 15, 6, -1"},
    {"[-9223372036854775807 - 1, 9223372036854775807]", "-9223372036854775808, 9223372036854775807"},
    {"[\n 1,\n 2]", "1, 2"},
};

static void test_values(void)
{
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char json[1024], expected[256], escaped[512], *out = escaped;
        for (const char *c = values[i][0]; *c; c++) {
            if (*c == '\n')
                *out++ = '\\';
            *out++ = *c == '\n' ? 'n' : *c;
        }
        *out = '\0';
        snprintf(json, sizeof json,
                 "{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": \"p\", \"Values\": \"%s\"}]}}", escaped);
        snprintf(expected, sizeof expected, "\nparam p = %s\n", values[i][1]);
        check_line(json, expected);
    }
}

/* ---- Conditions, over a, b: 1..8, n: -4..4, f: 0.5 and 2.0, w: row, col, t: 0, 1 ---- */

#define SPACE(conditions)                                                                                              \
    "{\"ConfigurationSpace\": {\"TuningParameters\": [\n"                                                              \
    "{\"Name\": \"a\", \"Type\": \"int\", \"Values\": \"[1, 2, 4, 8]\"},\n"                                            \
    "{\"Name\": \"b\", \"Values\": [1, 2, 3]},\n"                                                                      \
    "{\"Name\": \"n\", \"Values\": \"list(range(-4, 5))\"},\n"                                                         \
    "{\"Name\": \"f\", \"Type\": \"float\", \"Values\": [0.5, 2.0]},\n"                                                \
    "{\"Name\": \"w\", \"Type\": \"string\", \"Values\": [\"row\", \"col\"]},\n"                                       \
    "{\"Name\": \"t\", \"Type\": \"bool\", \"Values\": \"[True, False]\"}],\n"                                         \
    "\"Conditions\": [" conditions "]}}"

static const char *const conditions[][2] = {
    {"a * b <= 4 and not t", "a * b <= 4 && !t"},
    {"1 <= a < 5", "1 <= a && a < 5"},
    {"a in [1, 4]", "a == 1 || a == 4"},
    {"a not in (1, 4)", "a != 1 && a != 4"},
    {"n in range(-3, 4, 2)", "n == -3 || n == -1 || n == 1 || n == 3"},
    {"n in range(-3, 4)", "n >= -3 && n <= 3"},
    {"n in range(-4, 5, 2)", "n >= -4 && n <= 4 && (n - (-4)) % 2 == 0"},
    {"a in []", "0"},
    {"w == 'row' or w != \\\"col\\\"", "w == row || w != col"},
    {"w in ['row']", "w == row"},
    {"t == True", "t == 1"},
    {"a // b == 2", "a / b == 2"},
    {"n // 2 == 1", "(n - (n % 2 + 2) % 2) / 2 == 1"},
    {"n % 3 == 1", "(n % 3 + 3) % 3 == 1"},
    {"n % 3 == 0", "n % 3 == 0"},
    {"n % 3", "n % 3"},
    {"a % b == 1", "a % b == 1"},
    {"a / b > 1.5", "1.0 * a / b > 1.5"},
    {"8 % (8 / a) == 0", "8 % (8 / a) == 0"},
    {"f / a < 1", "f / a < 1"},
    {"int(a / b) == 2", "a / b == 2"},
    {"a ** 2 + b ** 1 < 20", "a * a + b < 20"},
    {"2 ** a > 4", "1 << a > 4"},
    {"(a or b) == 1", "(a ? a : b) == 1"},
    {"(a and b) == 1", "(a ? b : a) == 1"},
    {"a if t else b > 1", "t ? a : b > 1"},
    {"min(a, b, 3) == max([a, 2]) - abs(n)", "min(a, b, 3) == max(a, 2) - abs(n)"},
    {"all([a > 1, b > 1]) or any([t, f > 1])", "a > 1 && b > 1 || t || f > 1"},
    {"not (a == 1 and b == 1)", "!(a == 1 && b == 1)"},
    {"a & 1 == 1", "(a & 1) == 1"},
    {"a - (b - 1) - 1 == 0", "a - (b - 1) - 1 == 0"},
    {"a * (b * 2) == 8", "a * (b * 2) == 8"},
    {"-a < -(-b)", "-a < -(-b)"},
    {"bool(a) == (b > 1)", "(a != 0) == b > 1"},
    {"max([1, 5]) > a", "5 > a"},
    {"a * 12*1024 < 5", "a * 12 * 1024 < 5"},
};

static void test_conditions(void)
{
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        char json[4096], expected[256];
        snprintf(json, sizeof json, SPACE("{\"Expression\": \"%s\"}"), conditions[i][0]);
        snprintf(expected, sizeof expected, "\nrequire %s\n", conditions[i][1]);
        check_line(json, expected);
    }
}

/* ---- Errors: where, and a part of what ---- */

#define ONE(parameter)   "{\"ConfigurationSpace\": {\"TuningParameters\": [\n" parameter "\n]}}"
#define EXPRESSION(text) SPACE("\n{\"Expression\": \"" text "\"}")

static const struct {
    const char *json;
    int line, column;
    const char *message;
} errors[] = {
    {"", 1, 1, "no JSON"},
    {"{\"a\": }", 1, 7, "no JSON"},
    {"{} x", 1, 4, "more text"},
    {"[]", 1, 1, "not an object"},
    {"{\"a\": 1}", 1, 1, "no 'ConfigurationSpace'"},
    {"{\"a\": \"\\u0000\"}", 1, 8, "NUL"},
    {"{\"ConfigurationSpace\": {}}", 1, 24, "no 'TuningParameters'"},
    {"{\"ConfigurationSpace\": {\"TuningParameters\": []}}", 1, 45, "one parameter or more"},
    {"{\"ConfigurationSpace\": {\"Groups\": []}}", 1, 25, "'Groups' that is not understood"},
    {"{\"ConfigurationSpace\": {}, \"ConfigurationSpace\": {}}", 1, 28, "a second"},
    {ONE("{\"Name\": \"p\"}"), 2, 1, "no 'Values'"},
    {ONE("{\"Values\": \"[1]\"}"), 2, 1, "no 'Name'"},
    {ONE("{\"Name\": 1, \"Values\": \"[1]\"}"), 2, 10, "not a string"},
    {ONE("{\"Name\": \"p\", \"Values\": 1}"), 2, 25, "neither a string nor a list"},
    {ONE("{\"Name\": \"p\", \"Values\": \"[1]\", \"When\": 1}"), 2, 32, "'When' that is not understood"},
    {ONE("{\"Name\": \"a b\", \"Values\": \"[1]\"}"), 2, 10, "cannot be the name"},
    {ONE("{\"Name\": \"warp\", \"Values\": \"[1]\"}"), 2, 10, "name of the space language"},
    {ONE("{\"Name\": \"min\", \"Values\": \"[1]\"}"), 2, 10, "name of the space language"},
    {ONE("{\"Name\": \"float4\", \"Values\": \"[1]\"}"), 2, 10, "name of the space language"},
    {ONE("{\"Name\": \"p\", \"Values\": \"[1]\"},\n{\"Name\": \"p\", \"Values\": \"[1]\"}"), 3, 10, "already"},
    {ONE("{\"Name\": \"p\", \"Values\": \"[]\"}"), 2, 25, "no values"},
    {ONE("{\"Name\": \"p\", \"Values\": \"3\"}"), 2, 25, "not a list"},
    {ONE("{\"Name\": \"p\", \"Values\": \"[1, 2, 1]\"}"), 2, 25, "twice"},
    {ONE("{\"Name\": \"p\", \"Values\": \"[[1]]\"}"), 2, 25, "is a list"},
    {ONE("{\"Name\": \"p\", \"Values\": \"['a b']\"}"), 2, 25, "no word"},
    {ONE("{\"Name\": \"p\", \"Values\": \"['warp']\"}"), 2, 25, "device limit"},
    {ONE("{\"Name\": \"p\", \"Values\": \"[1, q]\"}"), 2, 30, "unknown name 'q'"},
    {ONE("{\"Name\": \"p\", \"Values\": \"[f(1)]\"}"), 2, 27, "function f"},
    {ONE("{\"Name\": \"p\", \"Values\": \"[1, 2\"}"), 2, 31, "ends here"},
    {ONE("{\"Name\": \"p\", \"Values\": \"[1] [2]\"}"), 2, 30, "the end"},
    {ONE("{\"Name\": \"p\", \"Values\": \"[i for i in 3]\"}"), 2, 38, "runs over a list"},
    {ONE("{\"Name\": \"p\", \"Values\": \"[1] + range(3)\"}"), 2, 30, "list and range"},
    {ONE("{\"Name\": \"p\", \"Values\": \"[1 / 0]\"}"), 2, 29, "division by zero"},
    {ONE("{\"Name\": \"p\", \"Values\": \"[2 ** 63]\"}"), 2, 29, "64 bits"},
    {ONE("{\"Name\": \"p\", \"Values\": \"[99999999999999999999]\"}"), 2, 27, "64 bits"},
    {ONE("{\"Name\": \"p\", \"Values\": \"range(10 ** 9)\"}"), 2, 26, "longer than"},
    {ONE("{\"Name\": \"p\", \"Values\": \"range(70000)\"}"), 2, 25, "more than 65536 values"},
    {ONE("{\"Name\": \"p\", \"Values\": \"[x for x in range(1000000) if [y for y in range(1000000)]]\"}"), 2, 57,
     "steps"},
    {ONE("{\"Name\": \"p\", \"Values\": \"[007]\"}"), 2, 27, "start with 0"},
    {ONE("{\"Name\": \"p\", \"Values\": [1, null]}"), 2, 29, "unknown name 'null'"},
    {ONE("{\"Name\": \"p\", \"Type\": \"int\", \"Values\": \"[1.5]\"}"), 2, 40, "of type int"},
    {ONE("{\"Name\": \"p\", \"Type\": \"enum\", \"Values\": \"[1]\"}"), 2, 23, "type of p"},
    {ONE("{\"Name\": \"p\", \"Values\": \"[1, 2]\", \"Default\": 3}"), 2, 46, "not one of its values"},
    {EXPRESSION("a <"), 9, 20, "ends here"},
    {EXPRESSION("a && b"), 9, 19, "'&&'"},
    {EXPRESSION("\\u0061 && b"), 9, 24, "'&&'"},
    {EXPRESSION("a is 1"), 9, 19, "same object"},
    {EXPRESSION("c == 1"), 9, 17, "no parameter 'c'"},
    {EXPRESSION("w"), 9, 17, "a string stands"},
    {EXPRESSION("[a]"), 9, 17, "a list stands"},
    {EXPRESSION("w < 'row'"), 9, 19, "no order"},
    {EXPRESSION("w == 'diagonal'"), 9, 22, "not a value of any parameter"},
    {EXPRESSION("a % f == 0"), 9, 19, "may be a fraction"},
    {EXPRESSION("a % (a / b) == 0"), 9, 19, "may be a fraction"},
    {EXPRESSION("f // 2 == 0"), 9, 19, "may be a fraction"},
    {EXPRESSION("(8 / a) & 1"), 9, 25, "integers only"},
    {EXPRESSION("b ** a == 8"), 9, 19, "power"},
    {EXPRESSION("a ** -1 == 8"), 9, 19, "power"},
    {EXPRESSION("f ** 2 == 8"), 9, 19, "power"},
    {EXPRESSION("w + 1 == 2"), 9, 19, "numbers only"},
    {EXPRESSION("math.ceil(a) == 2"), 9, 21, "attributes"},
    {EXPRESSION("len(a) == 2"), 9, 17, "cannot be translated"},
    {EXPRESSION("a in b"), 9, 22, "unknown name"},
    {EXPRESSION("a in [1, 2] == b"), 9, 19, "a list cannot be compared"},
    {SPACE("\n{\"Expression\": \"a\", \"Parameters\": [\"a\", \"x\"]}"), 9, 41, "no such parameter"},
    {SPACE("\n{\"Parameters\": [\"a\"]}"), 9, 1, "no 'Expression'"},
    {SPACE("1"), 8, 16, "not an object"},
};

static void test_errors(void)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct text space = {0}, notes = {0};
        struct error error = {0};
        char message[4096];
        int code = import(errors[i].json, &space, &notes, &error);
        bool right = code && error.line == errors[i].line && error.column == errors[i].column &&
                     strstr(error.message, errors[i].message) && strcmp(error.source, "folder/file.json") == 0;
        if (!right)
            fprintf(stderr, "\n%s\nexpected %d:%d: %s\n%s", errors[i].json, errors[i].line, errors[i].column,
                    errors[i].message, error_format(&error, message, sizeof message));
        CU_ASSERT(right);
        text_free(&space);
        text_free(&notes);
    }
}

/* ---- The whole file ---- */

static void test_file(void)
{
    static const char json[] = "\xef\xbb\xbf{\"General\": {\"BenchmarkName\": \"two\", \"OutputFormat\": \"JSON\"},\n"
                               "\"ConfigurationSpace\": {\"TuningParameters\": [\n"
                               "{\"Name\": \"a\", \"Type\": \"int\", \"Values\": \"[1, 2]\", \"Default\": [2]},\n"
                               "{\"Name\": \"b\", \"Values\": [true, false], \"Default\": \"False\"},\n"
                               "{\"Name\": \"c\", \"Values\": [10], \"Default\": 1},\n"
                               "{\"Name\": \"d\", \"Values\": [\"x\", \"y\"], \"Default\": \"y\"},\n"
                               "{\"Name\": \"e\", \"Values\": [7, 8]}], \"Conditions\": [\"a < 2\"]},\n"
                               "\"KernelSpecification\": {\"KernelName\": \"k\"}, \"Line\\nbreak\": 1}\n";
    static const char expected[] =
        "# Imported from the T1 description file.json. It has no kernel yet: it can be checked, and tuned once the\n"
        "# statements kernel, buffer, args, block, grid and reference are added.\n"
        "#\n"
        "# Not imported:\n"
        "#   KernelSpecification\n"
        "#   Line break\n"
        "#   General.OutputFormat\n"
        "#   the default of c, which is not its only value\n"
        "#   a default of e, which the file does not give: the first value stands in its place\n"
        "space 1\n"
        "title \"two\"\n"
        "\n"
        "param a = 1, 2\n"
        "param b = 1, 0   # True is 1, False is 0\n"
        "param c = 10\n"
        "param d = x, y\n"
        "param e = 7, 8\n"
        "require a < 2\n"
        "\n"
        "default a=2 b=0 c=10 d=y e=7\n";
    struct text space = {0}, notes = {0};
    struct error error = {0};
    CU_ASSERT_EQUAL(t1_import("folder/file.json", json, sizeof json - 1, &space, &notes, &error), 0);
    if (strcmp(text_string(&space), expected) != 0)
        fprintf(stderr, "\n%s%s", error.message, text_string(&space));
    CU_ASSERT_STRING_EQUAL(text_string(&space), expected);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&notes), "KernelSpecification\n"));
    text_free(&space);
    text_free(&notes);
}

/* Deep and long texts end with an error, not with the stack. */
static void test_depth(void)
{
    static const char *const units[] = {"(", "[", "-", "not ", "a + ", "a if a else ", "min(1, ", "a ** "};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        struct text json = {0}, space = {0}, notes = {0};
        struct error error = {0};
        text_printf(&json, "%s",
                    "{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": \"a\", \"Values\": [1, 2]}],"
                    "\"Conditions\": [\"");
        for (int n = 0; n < 100000; n++)
            text_printf(&json, "%s", units[i]);
        text_printf(&json, "a\"]}}");
        CU_ASSERT_NOT_EQUAL(t1_import("t1", text_string(&json), json.length, &space, &notes, &error), 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "nested"));
        text_free(&json);
        text_free(&space);
        text_free(&notes);
    }
}

CU_TestInfo tests_t1[] = {{"values", test_values},       {"conditions", test_conditions}, {"errors", test_errors},
                          {"the whole file", test_file}, {"deep and long", test_depth},   CU_TEST_INFO_NULL};
