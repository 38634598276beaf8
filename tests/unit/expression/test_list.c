#include "expression/list.h"

#include "../language/support.h"

/* Returns the values of a range, or the lexer's error. */
static const char *describe(const char *text, char *buffer, size_t room)
{
    const struct source_text source = {.path = "list", .text = text, .length = strlen(text)};
    struct error error = {0};
    struct lexer lexer;
    struct value first;
    struct value_range range;
    lexer_start(&lexer, &source, &error);
    int code = lexer_next(&lexer);
    struct token start = lexer.token;
    if (!code)
        code = list_number(&lexer, &first);
    if (!code && lexer_at_sign(&lexer, PUNCT('.', '.'))) {
        code = list_range(&lexer, &start, &first, &range);
        if (!code) {
            int64_t value = range.first;
            int at = snprintf(buffer, room, "%lld", (long long)value);
            for (int n = 1; n < 8 && list_range_next(&range, &value); n++)
                at += snprintf(buffer + at, room - (size_t)at, " %lld", (long long)value);
            return buffer;
        }
    }
    if (code)
        snprintf(buffer, room, "%d: %s", error.column, error.message);
    else
        value_text(&first, buffer, room);
    return buffer;
}

static void ranges(void)
{
    static const struct {
        const char *text, *expected;
    } rows[] = {{"7", "7"},
                {"-7", "-7"},
                {"-0.5", "-0.5"},
                {"9223372036854775808", "1: the number is too large for an integer of 64 bits"},
                {"-9223372036854775808", "-9223372036854775808"},
                {"1..4", "1 2 3 4"},
                {"4..4", "4"},
                {"-3..3 step 2", "-3 -1 1 3"},
                {"1..8 step 3", "1 4 7"},
                {"1..64 times 4", "1 4 16 64"},
                {"3..20 times 2", "3 6 12"},
                {"9223372036854775800..9223372036854775807 step 5", "9223372036854775800 9223372036854775805"},
                {"4611686018427387904..9223372036854775807 times 2", "4611686018427387904"},
                {"0.5..2", "1: the start of a range must be an integer"},
                {"1..2.5", "4: the end of a range must be an integer"},
                {"1..red", "4: the end of a range must be an integer"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char buffer[2048];
        expect_text(rows[i].text, describe(rows[i].text, buffer, sizeof buffer), rows[i].expected);
    }
}

static void wrong_ranges(void)
{
    static const char *const texts[] = {"4..1",         "1..8 step 0",   "1..8 step -1", "1..8 times 1",
                                        "0..8 times 2", "-4..8 times 2", "1..8 step 0.5"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        char buffer[2048];
        describe(texts[i], buffer, sizeof buffer);
        CU_ASSERT_PTR_NOT_NULL(strchr(buffer, ':'));
    }
}

/* Sets compare values like ==. */
static void sets(void)
{
    static const char red[] = "red", blue[] = "blue";
    static const struct value_set_item items[] = {{.one = true, .value = {.kind = VALUE_FLOAT, .real = 2}},
                                                  {.one = true, .value = {.kind = VALUE_WORD, .word = red}},
                                                  {.range = {.first = 10, .last = 20, .step = 5}}};
    static const struct value_set set = {COUNT(items), items};
    static const struct {
        struct value value;
        bool has;
    } rows[] = {{{.kind = VALUE_INT, .integer = 2}, true},    {{.kind = VALUE_FLOAT, .real = 2.5}, false},
                {{.kind = VALUE_WORD, .word = red}, true},    {{.kind = VALUE_WORD, .word = blue}, false},
                {{.kind = VALUE_INT, .integer = 10}, true},   {{.kind = VALUE_INT, .integer = 20}, true},
                {{.kind = VALUE_FLOAT, .real = 15}, true},    {{.kind = VALUE_INT, .integer = 12}, false},
                {{.kind = VALUE_INT, .integer = 25}, false},  {{.kind = VALUE_INT, .integer = 5}, false},
                {{.kind = VALUE_FLOAT, .real = 1e300}, false}};
    for (size_t i = 0; i < COUNT(rows); i++)
        CU_ASSERT_EQUAL(value_set_has(&set, &rows[i].value), rows[i].has);
}

CU_TestInfo tests_list[] = {{"ranges", ranges}, {"wrong ranges", wrong_ranges}, {"sets", sets}, CU_TEST_INFO_NULL};
