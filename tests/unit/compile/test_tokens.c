/* The tokens of a source. */
#include "compile/tokens.h"

#include <string.h>

#include <CUnit/Basic.h>

#include "base/text.h"

/* Each token with its kind before it: w, l, d, s. */
static void expect_tokens(const char *source, const char *expected)
{
    struct text found = {0};
    struct token token;
    const char *at = source;
    while ((token = token_next(&at)).kind != TOKEN_END) {
        text_printf(&found, "%c<%.*s>", " wlds"[token.kind], (int)token.length, token.at);
        CU_ASSERT_PTR_EQUAL(token.at + token.length, at);
    }
    CU_ASSERT_PTR_EQUAL(at, source + strlen(source));
    CU_ASSERT_STRING_EQUAL(text_string(&found), expected);
    text_free(&found);
}

static void tokens(void)
{
    static const struct {
        const char *source, *tokens;
    } rows[] = {
        {"", ""},
        {" \t\r\n\v\f", ""},
        {"ab_1 +9c", "w<ab_1>s<+>w<9c>"},
        {"1'000'a 'a' b'c'", "w<1'000'a>l<'a'>w<b>l<'c'>"},
        {"1' 2'", "w<1>l<' 2'>"},
        {"a//b\\\nc\nd/*e\n*/f/g", "w<a>w<d>w<f>s</>w<g>"},
        {"a /* b", "w<a>"},
        {"/*/ a */ b", "w<b>"},
        {"\"a\\\"b\" \"c\nd\" '\\''", "l<\"a\\\"b\">l<\"c>w<d>l<\" '\\''>"},
        {"\"a\\\nb\"", "l<\"a\\>w<b>l<\">"},
        {"#if a \\\n b\nc #d", "d<#if a \\\n b>w<c>d<#d>"},
        {"\"\\", "l<\"\\>"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_tokens(rows[i].source, rows[i].tokens);
}

static void comparisons(void)
{
    const char *at = "ab ( ;";
    struct token token = token_next(&at);
    CU_ASSERT(token_is(&token, "ab") && !token_is(&token, "a") && !token_is(&token, "abc"));
    CU_ASSERT(!token_is_sign(&token, 'a'));
    token = token_next(&at);
    CU_ASSERT(token_is_sign(&token, '(') && !token_is_sign(&token, ';'));
    CU_ASSERT(token_has('a') && token_has('Z') && token_has('0') && token_has('_') && !token_has('-'));
}

static void closing(void)
{
    static const struct {
        const char *source, *rest;
    } rows[] = {{"} a", " a"}, {"{ } '}' /* } */ \"}\" } b", " b"}, {"{ }", NULL}, {"", NULL}, {"( }c", "c"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *at = rows[i].source;
        CU_ASSERT_EQUAL(token_close(&at, '{', '}'), rows[i].rest != NULL);
        CU_ASSERT_STRING_EQUAL(at, rows[i].rest ? rows[i].rest : "");
    }
}

CU_TestInfo tests_tokens[] = {
    {"tokens", tokens}, {"comparisons", comparisons}, {"closing", closing}, CU_TEST_INFO_NULL};
