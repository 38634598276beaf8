#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/text.h"
#include "emit/emit_model.h"

static void expect(struct text *text, const char *expected)
{
    if (strcmp(text_string(text), expected) != 0)
        printf("expected %s, not %s\n", expected, text_string(text));
    CU_ASSERT_STRING_EQUAL(text_string(text), expected);
    text_free(text);
}

/* Strings of arbitrary bytes become one literal without trigraphs; in a comment, nothing ends it or continues its line.
 */
static void strings_and_remarks(void)
{
    static const struct {
        const char *string, *literal, *remark;
    } rows[] = {{"", "\"\"", ""},
                {"NVIDIA H200", "\"NVIDIA H200\"", "NVIDIA H200"},
                {"a\"b\\", "\"a\\\"b\\\\\"", "a\"b."},
                {"?\?/y", "\"\\?\\?/y\"", "?./y"},
                {"a\n\x7f"
                 "1",
                 "\"a\\012\\1771\"", "a..1"},
                {"\xc3\xa9", "\"\\303\\251\"", ".."},
                {"*/ /* //", "\"*/ /* //\"", "* / / * //"},
                {"**/", "\"**/\"", "** /"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text literal = {0}, remark = {0};
        emit_string(&literal, rows[i].string);
        emit_remark(&remark, rows[i].string);
        expect(&literal, rows[i].literal);
        expect(&remark, rows[i].remark);
    }
}

/* Each value is a constant of its kind, including the minimum of a type; negative ones are in parentheses. */
static void values(void)
{
    static const struct {
        const char *value;
        enum emit_kind kind;
        const char *constant;
    } rows[] = {{"16", EMIT_INT, "16"},
                {"010", EMIT_INT, "10"},
                {"-1", EMIT_INT, "(-1)"},
                {"-2147483648", EMIT_INT, "(-2147483647 - 1)"},
                {"-2147483647", EMIT_INT, "(-2147483647)"},
                {"16", EMIT_LONG, "16LL"},
                {"-16", EMIT_LONG, "(-16LL)"},
                {"-2147483648", EMIT_LONG, "(-2147483648LL)"},
                {"-9223372036854775808", EMIT_LONG, "(-9223372036854775807LL - 1)"},
                {"2", EMIT_REAL, "2.0"},
                {"-2", EMIT_REAL, "(-2.0)"},
                {"2.5", EMIT_REAL, "2.5"},
                {"1e-05", EMIT_REAL, "1e-05"},
                {"1E9", EMIT_REAL, "1E9"},
                {"auto", EMIT_WORD, "\"auto\""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        emit_value(&text, rows[i].value, rows[i].kind);
        expect(&text, rows[i].constant);
    }
}

static void row_names(void)
{
    struct pair sizes[] = {{.name = "ROWS", .value = "8"}, {.name = "COLS", .value = "*/"}};
    const struct pairs none = {0}, two = {.items = sizes, .count = 2};
    const struct {
        struct selection_row row;
        const char *name;
    } rows[] = {{{.device = "A", .sizes = &two}, "A, ROWS=8 COLS=* /"},
                {{.device = "A*/", .sizes = &none}, "A* /, no sizes"},
                {{.device = "", .sizes = &two, .kind = CHOOSE_IS_COMMON}, "all devices, ROWS=8 COLS=* /"},
                {{.device = "", .kind = CHOOSE_IS_DEFAULT}, "default"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        emit_row_name(&rows[i].row, &text);
        expect(&text, rows[i].name);
    }
}

CU_TestInfo tests_c_text[] = {
    {"strings and remarks", strings_and_remarks}, {"values", values}, {"names of rows", row_names}, CU_TEST_INFO_NULL};
