#include "expression/lexer.h"

#include "../language/support.h"

/* Formats tokens as "kind:text" with a bar between statements, up to an error: "line:column message". */
static const char *describe(const char *text, char *buffer, size_t room)
{
    static const char kinds[] = "enifsp"; /* end, name, integer, float, string, punctuation */
    const struct source_text source = {.path = "t", .text = text, .length = strlen(text)};
    struct error error = {0};
    struct lexer lexer;
    size_t at = 0;
    lexer_start(&lexer, &source, &error);
    int code = lexer_next_statement(&lexer);
    while (!code && lexer.token.kind != TOKEN_END) {
        while (!code && lexer.token.kind != TOKEN_END) {
            at += (size_t)snprintf(buffer + at, room - at, "%c:%.*s ", kinds[lexer.token.kind], (int)lexer.token.length,
                                   lexer.token.start);
            code = lexer_next(&lexer);
        }
        if (!code) {
            at += (size_t)snprintf(buffer + at, room - at, "| ");
            code = lexer_next_statement(&lexer);
        }
    }
    if (code)
        snprintf(buffer + at, room - at, "%d:%d %s", error.line, error.column, error.message);
    else
        buffer[at ? at - 1 : 0] = '\0';
    return buffer;
}

static void tokens(void)
{
    static const struct {
        const char *text, *tokens;
    } rows[] = {{"", ""},
                {"a b1 _c", "n:a n:b1 n:_c |"},
                {"1 0x1F 1.5 .5 2. 1e3 1e-7", "i:1 i:0x1F f:1.5 f:.5 f:2. f:1e3 f:1e-7 |"},
                {"1..8", "i:1 p:.. i:8 |"},
                {"a<=b<<2=>c", "n:a p:<= n:b p:<< i:2 p:=> n:c |"},
                {"\"a # b\" # remark", "s:\"a # b\" |"},
                {"a\n\n# remark\n  b", "n:a | n:b |"},
                {"a \\\n b\nc", "n:a n:b | n:c |"},
                {"a # \\\nb", "n:a | n:b |"},
                {"a\r\nb", "n:a | n:b |"},
                {"a @", "n:a 1:3 unexpected character '@'"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char buffer[512] = "";
        expect_text(rows[i].text, describe(rows[i].text, buffer, sizeof buffer), rows[i].tokens);
    }
}

static void values_and_places(void)
{
    static const char text[] = "a 0x10\n  18446744073709551615 2.5";
    const struct source_text source = {.path = "t", .text = text, .length = strlen(text)};
    struct error error = {0};
    struct lexer lexer;
    lexer_start(&lexer, &source, &error);
    CU_ASSERT_EQUAL(lexer_next_statement(&lexer), 0);
    CU_ASSERT(lexer_at_word(&lexer, "a") && !lexer_at_word(&lexer, "ab") && !lexer_at_sign(&lexer, 'a'));
    CU_ASSERT_EQUAL(lexer_next(&lexer), 0);
    CU_ASSERT_EQUAL(lexer.token.integer, 16);
    lexer_skip_statement(&lexer);
    CU_ASSERT_EQUAL(lexer_next_statement(&lexer), 0);
    CU_ASSERT_EQUAL(lexer.token.integer, UINT64_MAX);
    CU_ASSERT(lexer.token.line == 2 && lexer.token.column == 3);
    CU_ASSERT_EQUAL(lexer_expected(&lexer, "a name"), ERROR_SYNTAX);
    expect_text("message", error.message, "expected a name, not '18446744073709551615'");
    expect_text("excerpt", error.excerpt, "  18446744073709551615 2.5");
    CU_ASSERT_EQUAL(lexer_next(&lexer), 0);
    CU_ASSERT_EQUAL(lexer.token.real, 2.5);
}

/* Names of C++ functions: templates end at their own '>'. */
static void extended_names(void)
{
    static const struct {
        const char *text, *name;
    } rows[] = {{"k rest", "k"},
                {"a::b<1, c<2>> x", "a::b<1, c<2>>"},
                {"k<float>", "k<float>"},
                {"k < 3", "k"},
                {"a::b::c(", "a::b::c"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct source_text source = {.path = "t", .text = rows[i].text, .length = strlen(rows[i].text)};
        struct error error = {0};
        struct lexer lexer;
        char name[64];
        lexer_start(&lexer, &source, &error);
        CU_ASSERT_EQUAL(lexer_next_statement(&lexer), 0);
        CU_ASSERT_EQUAL(lexer_extend_name(&lexer), 0);
        snprintf(name, sizeof name, "%.*s", (int)lexer.token.length, lexer.token.start);
        expect_text(rows[i].text, name, rows[i].name);
    }
}

/* Errors of a generated text are shown at its origin. */
static void origins(void)
{
    const struct source_text file = {.path = "file", .text = "one\ntwo\n", .length = 8};
    const struct source_text made = {
        .path = "made", .text = "x", .length = 1, .origin = &file, .origin_line = 2, .origin_column = 3};
    struct error error = {0};
    CU_ASSERT_EQUAL(source_error(&made, 1, 1, &error, ERROR_VALUE, "no %d", 7), ERROR_VALUE);
    CU_ASSERT(error.line == 2 && error.column == 3);
    expect_text("source", error.source, "file");
    expect_text("excerpt", error.excerpt, "two");
    expect_text("message", error.message, "no 7");
}

CU_TestInfo tests_lexer[] = {{"tokens", tokens},
                             {"values and places", values_and_places},
                             {"names of C++", extended_names},
                             {"origins", origins},
                             CU_TEST_INFO_NULL};
