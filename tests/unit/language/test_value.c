#include "base/value.h"

#include "same.h"

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

/* Numbers are ordered by their exact values, whatever their kinds; a word equals only itself. */
static void order(void)
{
    static const char word[] = "b";
    static const struct value values[] = {{.kind = VALUE_FLOAT, .real = -1e300},
                                          {.kind = VALUE_INT, .integer = INT64_MIN},
                                          {.kind = VALUE_INT, .integer = 1},
                                          {.kind = VALUE_FLOAT, .real = 1.5},
                                          {.kind = VALUE_INT, .integer = 9007199254740991},
                                          {.kind = VALUE_FLOAT, .real = 9007199254740992},
                                          {.kind = VALUE_INT, .integer = 9007199254740993},
                                          {.kind = VALUE_INT, .integer = INT64_MAX},
                                          {.kind = VALUE_FLOAT, .real = 9223372036854775808.0},
                                          {.kind = VALUE_WORD, .word = "a"},
                                          {.kind = VALUE_WORD, .word = word}};
    for (size_t i = 0; i < COUNT(values); i++)
        for (size_t j = 0; j < COUNT(values); j++) {
            int expected = (i > j) - (i < j), found = value_order(&values[i], &values[j]);
            CU_ASSERT_EQUAL((found > 0) - (found < 0), expected);
            CU_ASSERT_EQUAL(value_equal(&values[i], &values[j]), i == j);
            if (values[i].kind != VALUE_WORD && values[j].kind != VALUE_WORD)
                CU_ASSERT_EQUAL(value_compare_numbers(&values[i], &values[j]), expected);
        }
}

/* An integer and the float that equals it: equal for ==, but the order puts the integer first. */
static void duplicates(void)
{
    static const struct {
        struct value value;
        bool has;
    } rows[] = {{{.kind = VALUE_INT, .integer = 1}, true},
                {{.kind = VALUE_INT, .integer = 9007199254740993}, false},
                {{.kind = VALUE_INT, .integer = INT64_MIN}, true},
                {{.kind = VALUE_INT, .integer = INT64_MAX}, false},
                {{.kind = VALUE_FLOAT, .real = -2}, true},
                {{.kind = VALUE_FLOAT, .real = 0.5}, false},
                {{.kind = VALUE_FLOAT, .real = 9223372036854775808.0}, false},
                {{.kind = VALUE_WORD, .word = "a"}, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct value other;
        CU_ASSERT_EQUAL(value_duplicate(&rows[i].value, &other), rows[i].has);
        if (!rows[i].has)
            continue;
        CU_ASSERT_NOT_EQUAL(other.kind, rows[i].value.kind);
        CU_ASSERT_TRUE(value_equal(&rows[i].value, &other));
        CU_ASSERT_EQUAL(value_order(&rows[i].value, &other) < 0, rows[i].value.kind == VALUE_INT);
    }
}

static void reading(void)
{
    static const struct {
        const char *text;
        int kind; /* -1: no value */
    } rows[] = {{"7", VALUE_INT},
                {"-7", VALUE_INT},
                {"9223372036854775808", -1},
                {"1.5", VALUE_FLOAT},
                {"-1e-05", VALUE_FLOAT},
                {"red", VALUE_WORD},
                {"", -1},
                {"7x", -1},
                {"1e999", -1},
                {"nan", VALUE_WORD}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct value value = {.kind = VALUE_WORD};
        char text[VALUE_TEXT_BYTES];
        bool read = value_read(rows[i].text, &value);
        CU_ASSERT_EQUAL(read, rows[i].kind >= 0);
        if (!read || rows[i].kind < 0)
            continue;
        CU_ASSERT_EQUAL((int)value.kind, rows[i].kind);
        expect_text("read", value_text(&value, text, sizeof text), rows[i].text);
    }
}

/* List membership is == wherever lists occur. */
static void one_equality(void)
{
    expect_same("param A = 1.0, 2 when B == 1 else 1\nparam B = 1, 2",
                "param A = 1.0, 2\nparam B = 1, 2\nrequire B == 1 || A == 1");
    expect_same("param A = 1.0, 2\nrequire A in {1}", "param A = 1.0, 2\nrequire A == 1");
    expect_same(
        "param A = 9007199254740992.0, 9007199254740994.0\nrequire A == 9007199254740993 || A > 9007199254740993",
        "param A = 9007199254740992.0, 9007199254740994.0\nrequire A != 9007199254740992");
    expect_same("param A = 9007199254740993, 3\nrequire A in {9007199254740992.0, 3}", "param A = 9007199254740993, 3\n"
                                                                                       "require A == 3.0");
    expect_same(
        "param A = -3, -2, 2, 3, 9223372036854775807\nrequire A > -2.5 && A < 2.5 || A >= 9223372036854775808.0",
        "param A = -3, -2, 2, 3, 9223372036854775807\nrequire A == -2 || A == 2");
    expect_same("param A = -3, -2, 2, 3\nrequire -2.5 < A && 2.5 < A || A < -1e300",
                "param A = -3, -2, 2, 3\nrequire A == 3");

    static const char text[] = SPACE_HEAD SPACE_SHAPE "param A = 1.0, 2\ndefault A=1\n";
    struct error error = {0};
    struct space *space = parsed(text, "A");
    struct text valid = {0};
    uint32_t choices[1] = {7};
    if (!space)
        return;
    CU_ASSERT_EQUAL(space->parameters[0].default_, 0);
    CU_ASSERT_EQUAL(space_config_parse(space, "A=2.0", choices, &error), 0);
    CU_ASSERT_EQUAL(choices[0], 1);
    CU_ASSERT_EQUAL(space_narrow(space, "A=1", &error), 0);
    CU_ASSERT_EQUAL(space_bind(space, NULL, 0, NULL, &error), 0);
    valid_text(space, &valid);
    expect_text("narrowed", text_string(&valid), "A=1.0\n");
    text_free(&valid);
    space_free(space);
}

static const struct element_type *type_of(const char *name)
{
    size_t i = 0;
    while (i < element_type_count && strcmp(element_types[i].name, name) != 0)
        i++;
    CU_ASSERT_FATAL(i < element_type_count);
    return &element_types[i];
}

/* A number is stored in the device's byte order, or refused if it does not fit. */
static void elements(void)
{
    static const struct {
        const char *type;
        int64_t number;
        const char *bytes; /* NULL: it does not fit */
    } rows[] = {{"char", 127, "7f"},
                {"char", 128, NULL},
                {"char", -128, "80"},
                {"char", -129, NULL},
                {"uchar", 255, "ff"},
                {"uchar", 256, NULL},
                {"uchar", -1, NULL},
                {"int", -2, "feffffff"},
                {"int", 2147483648, NULL},
                {"int", 0x01020304, "04030201"},
                {"uint", 4294967295, "ffffffff"},
                {"uint", 4294967296, NULL},
                {"long", INT64_MIN, "0000000000000080"},
                {"ulong", INT64_MAX, "ffffffffffffff7f"},
                {"ulong", -1, NULL},
                {"int4", 7, "07000000aaaaaaaaaaaaaaaaaaaaaaaa"}, /* one component */
                {"uchar4", 256, NULL}};
    static const struct {
        const char *type;
        double number;
        const char *bytes;
        bool fits;
    } reals[] = {{"float", 1, "0000803f", true},
                 {"double", -2, "00000000000000c0", true},
                 {"half", 1, "003c", true},
                 {"half", 1e6, NULL, false},
                 {"float3", 1, "0000803faaaaaaaaaaaaaaaa", true},
                 {"double2", -2, "00000000000000c0aaaaaaaaaaaaaaaa", true},
                 {"float", 1e300, NULL, false}};
    unsigned char bytes[16];
    char shown[33];
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct element_type *type = type_of(rows[i].type);
        memset(bytes, 0xaa, sizeof bytes);
        CU_ASSERT_EQUAL(element_put_integer(type, rows[i].number, bytes), rows[i].bytes != NULL);
        for (size_t b = 0; b < type->bytes; b++)
            snprintf(shown + 2 * b, 3, "%02x", bytes[b]);
        if (rows[i].bytes)
            expect_text(rows[i].type, shown, rows[i].bytes);
    }
    for (size_t i = 0; i < COUNT(reals); i++) {
        const struct element_type *type = type_of(reals[i].type);
        memset(bytes, 0xaa, sizeof bytes);
        CU_ASSERT_EQUAL(element_put_real(type, reals[i].number, bytes), reals[i].fits);
        for (size_t b = 0; b < type->bytes; b++)
            snprintf(shown + 2 * b, 3, "%02x", bytes[b]);
        if (reals[i].fits)
            expect_text(reals[i].type, shown, reals[i].bytes);
    }
}

CU_TestInfo tests_value[] = {{"elements in memory", elements},
                             {"floats read back", floats_read_back},
                             {"order", order},
                             {"duplicates", duplicates},
                             {"reading", reading},
                             {"one equality", one_equality},
                             CU_TEST_INFO_NULL};
