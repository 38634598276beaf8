#include "base/json_hint.h"

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

/* A caret in the text is where a parser stops; it is not part of it. */
static void hints(void)
{
    static const struct {
        const char *text, *hint;
    } rows[] = {{"{\"a\": ^NaN}", "NaN"},
                {"{\"a\": ^-Infinity}", "NaN"},
                {"[^True]", "true"},
                {"{^'a': 1}", "double quotes"},
                {"{ ^a: 1}", "double quotes"},
                {"[1] ^// a remark", "comments"},
                {"{\"a\": 1, ^}", "comma before"},
                {"[1^, ]", "comma before"},
                {"[1, ^]", "comma before"},
                {"{\"a\": 1 ^\"b\": 2}", "comma or a colon"},
                {"{\"a\" ^1}", "comma or a colon"},
                {"[[1] ^[2]]", "comma or a colon"},
                {"{} ^{}", "more text"},
                {"{\"a\": ^\"b}", "closing quote"},
                {"{\"a\": \"^b}", "closing quote"},
                {"{\"a\": \"b^\\x\"}", "backslash"},
                {"{\"a\": [1, 2^\n", "cut off"},
                {"{\"a\":^", "cut off"},
                {"[\"\\\"]\", ^]", "comma before"}, /* brackets and quotes in a string */
                {"[^[", "cut off"},
                {"[[^[]]]", NULL}, /* as deep as a parser goes */
                {"^", NULL},
                {"^?", NULL},
                {"1^", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[64];
        size_t at = strcspn(rows[i].text, "^"), length = strlen(rows[i].text) - 1;
        memcpy(text, rows[i].text, at);
        memcpy(text + at, rows[i].text + at + 1, length - at);
        const char *hint = json_hint(text, length, at);
        if (!rows[i].hint ? hint != NULL : !hint || !strstr(hint, rows[i].hint))
            printf("row %zu: %s\n", i, hint ? hint : "none");
        CU_ASSERT(rows[i].hint ? hint && strstr(hint, rows[i].hint) : !hint);
    }
}

CU_TestInfo tests_json_hint[] = {{"hints", hints}, CU_TEST_INFO_NULL};
