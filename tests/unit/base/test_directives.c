#include "base/directives.h"

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

/* Lists all directives of a text: "<name>", "\"name\"" or "!" for none, each with its properties and the character at
 * which its name begins. */
static void list_directives(const char *source, size_t length, struct text *list)
{
    struct directives directives = {source, source, source + length, true};
    struct directive found = {0};
    text_clear(list);
    while (directives_next(&directives, &found)) {
        text_printf(list, "%s%s%s%s", list->length ? " " : "", found.asks ? "?" : "", found.next ? "next" : "",
                    found.data ? "data" : "");
        if (!found.form)
            text_printf(list, "!%c", found.at < source + length ? *found.at : '$');
        else
            text_printf(list, "%c%s%c", found.form, text_string(&found.name), found.form == '<' ? '>' : '"');
        CU_ASSERT(found.at >= source && found.at <= source + length);
    }
    CU_ASSERT_PTR_EQUAL(directives.at, source + length);
    text_free(&found.name);
}

static void directives_are_found(void)
{
    static const struct {
        const char *source, *found;
    } rows[] = {
        {"", ""},
        {"#include \"a.h\"", "\"a.h\""},
        {"#include <a/b.h>", "<a/b.h>"},
        {"#include\"a\"\n#include<b>", "\"a\" <b>"},
        {"int x;\n \t\v\f\r#\t include \"a\"\n", "\"a\""},
        {"#include \"a\" // \"b\"\n#include <b> junk <c>", "\"a\" <b>"},
        {"#include_next <a>", "next<a>"},
        {"#embed \"a.bin\"", "data\"a.bin\""},
        {"%:include \"a\"", "\"a\""},
        {"?\?=include \"a\"", "\"a\""},
        /* No directives. */
        {"int x; #include \"a\"", ""},
        {"#includes \"a\"", ""},
        {"#define include \"a\"", ""},
        {"include \"a\"", ""},
        {"#pragma include \"a\"", ""},
        {"# /", ""},
        {"#", ""},
        /* Missing names. */
        {"#include NAME", "!N"},
        {"#include", "!$"},
        {"#include \"\"", "!\""},
        {"#include \"a", "!\""},
        {"#include \"a\nb\"", "!\""},
        {"#include <a\n>", "!<"},
        {"#include 'a'", "!'"},
        {"#include \"a>", "!\""},
        {"#include NAME\n#include \"a\"", "!N \"a\""},
        /* Comments. */
        {"/* #include \"a\" */", ""},
        {"// #include \"a\"\n", ""},
        {"// a \\\n#include \"a\"\n#include \"b\"", "\"b\""},
        {"// a \\\r\n#include \"a\"", ""},
        {"// a", ""},
        {"// a\\", ""},
        {"/* a */ #include \"a\"", "\"a\""},
        {"/*\n*/ # /**/ include /*\n*/ \"a\"", "\"a\""},
        {"int x; /*\n*/ #include \"a\"", ""},
        {"/* *\\\n/ #include \"a\"", "\"a\""},
        {"/\\\n* \n#include \"a\"\n *\\\r\n/\n#include \"b\"", "\"b\""},
        {"/* **/ #include \"a\"", "\"a\""},
        {"/*/\n#include \"a\"\n*/", ""},
        {"/* open\n#include \"a\"", ""},
        {"int a = b / c;\n#include \"a\"", "\"a\""},
        {"#include <a//b> // c", "<a//b>"},
        {"#include <a/*b>\n#include \"c\"", "<a/*b> \"c\""},
        /* Continued lines. */
        {"# \\\n include \\\n \"a\"", "\"a\""},
        {"#inc\\\nlude \"a\\\r\nb\"", "\"ab\""},
        {"#inc\\ \nlude \"a\"", ""},
        {"\\\n#include \"a\"", "\"a\""},
        {"int x;\\\n#include \"a\"", ""},
        /* Literals. */
        {"s = \"/*\";\n#include \"a\"", "\"a\""},
        {"s = \"\\\"/*\";\n#include \"a\"", "\"a\""},
        {"s = \"\\\\\"; /*\n#include \"a\"\n*/", ""},
        {"s = \"\\\n#include \\\"a\\\"\";", ""},
        {"c = '\"'; /*\n#include \"a\"\n*/", ""},
        {"c = '\\''; /*\n#include \"a\"\n*/", ""},
        {"// don't\n#if 0\n don't /*\n#endif\n#include \"a\"", "\"a\""},
        {"#error isn't \"/*\n#include \"a\"", "\"a\""},
        {"x = 1'000; /*\n#include \"a\"\n*/", ""},
        {"x = 0xF'F; /*\n#include \"a\"\n*/", ""},
        {"x = 1'0\\\n'0; /*\n#include \"a\"\n*/", ""},
        {"x = u8'/*';\n#include \"a\"", "\"a\""},
        {"x = b2'/*';\n#include \"a\"", "\"a\""},
        {"s = R\"(\n#include \"a\"\n)\";\n#include \"b\"", "\"b\""},
        {"s = u8R\"d(\n)\"\n#include \"a\"\n)d\"; /*\n#include \"b\"\n*/", ""},
        {"s = LR\"(\\\n#include \"a\"\n)\";", ""},
        {"s = R\\\n\"(/*)\";\n#include \"a\"", "\"a\""},
        {"s = XR\"(\n#include \"a\"\n)\";", "\"a\""},
        {"s = LUR\"(\n#include \"a\"\n)\";", "\"a\""},
        {"s = R\"0123456789abcdef(\n#include \"a\"\n)0123456789abcdef\";", ""},
        {"s = R\"0123456789abcdefg(\n#include \"a\"\n)\";", "\"a\""},
        {"s = R\"no\n#include \"a\"", "\"a\""},
        {"s = R\"(open\n#include \"a\"", ""},
        /* Questions. */
        {"#if __has_include(\"a\") && __has_include( <b> )", "?\"a\" ?<b>"},
        {"#if __has_include_next(<a>) || __has_embed(\"b\")", "?next<a> ?data\"b\""},
        {"#ifdef __has_include\n#if defined(__has_include)", ""},
        {"#define HAS(x) __has_include(x)", "?!x"},
        {"#if __has_include /* */ ( /* */ \"a\")", "?\"a\""},
        {"#if __has_\\\ninclude(\"a\")", "?\"a\""},
        {"#if x__has_include(\"a\")", ""},
        {"#if __has_includes(\"a\") __has_attribute(b)", ""},
        {"s = \"__has_include(\\\"a\\\")\";", ""},
        {"__device__ __shared__ int _x_;\n#include \"a\"", "\"a\""},
        {"a_very_long_name_that_fits_no_buffer_of_words__has_include(\"a\")", ""},
        {"#include_a_very_long_name_that_fits_no_buffer_of_words \"a\"", ""},
    };
    struct text list = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        list_directives(rows[i].source, strlen(rows[i].source), &list);
        if (strcmp(text_string(&list), rows[i].found) != 0)
            fprintf(stderr, "%s\n-> %s, expected %s\n", rows[i].source, text_string(&list), rows[i].found);
        CU_ASSERT_STRING_EQUAL(text_string(&list), rows[i].found);
    }
    /* A NUL is an ordinary character, but not part of a name. */
    list_directives("\0#include \"a\"\n#include \"b\0c\"\n#include \"d\"", 41, &list);
    CU_ASSERT_STRING_EQUAL(text_string(&list), "!\" \"d\"");
    text_free(&list);
}

/* Nothing behind the end of a truncated text is read: the sanitized build checks. */
static void cut_texts_end(void)
{
    static const char source[] =
        "/* a */ #include \"a\" // b\\\r\ns = u8R\"d( )d\"; '\\''\n%:embed <b>\n?\?=if __has_include("
        "<c>) 1'0 \\\n";
    struct text list = {0};
    for (size_t start = 0; start < sizeof source; start++)
        for (size_t end = start; end < sizeof source; end++) {
            char cut[sizeof source];
            memcpy(cut, source + start, end - start);
            list_directives(cut, end - start, &list);
        }
    CU_ASSERT_FALSE(list.failed);
    text_free(&list);
}

CU_TestInfo tests_directives[] = {
    {"directives are found", directives_are_found},
    {"truncated texts end", cut_texts_end},
    CU_TEST_INFO_NULL,
};
