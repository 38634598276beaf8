#include "formats.h"

static void tables(void)
{
    static const struct format_case cases[] = {
        {"[]", false, ""},
        /* Numbers right-aligned, words left-aligned; a mixed column counts as words. No trailing blanks. */
        {"[{\"name\": \"a\", \"count\": 1, \"mixed\": 7}, {\"name\": \"bcdef\", \"count\": 1000000, \"mixed\": \"x\"}]",
         false, "name     count  mixed\na            1  7\nbcdef  1000000  x\n"},
        {"[{\"n\": 10, \"last\": null}, {\"n\": null, \"last\": \"x\"}]", false, " n  last\n10\n    x\n"},
        {"[{\"a\": \"\xc3\x9f\xc3\x9f\", \"b\": 1}, {\"a\": \"xyz\", \"b\": 2}]", false,
         "a    b\n\xc3\x9f\xc3\x9f   1\nxyz  2\n"},                /* characters, not bytes */
        {"[{\"a\": 0.123456789}]", false, "       a\n0.123457\n"}, /* six digits for people */
        {"[{\"a\": \"b\\u001b[31mc\"}]", false, "a\nb [31mc\n"}};  /* no terminal control characters */
    expect_format("text", cases, sizeof cases / sizeof *cases);
}

static void lines(void)
{
    static const struct format_case cases[] = {
        {"[]", true, ""},
        {"[{\"name\": \"a b\", \"n\": 12, \"none\": null}]", true, "name  a b\nn     12\nnone\n"},
        {"[{\"a\": 1}, {\"long\": 2}]", true, "a     1\n\nlong  2\n"}};
    expect_format("text", cases, sizeof cases / sizeof *cases);
}

/* Takes steps until the table fits; members moved below are broken at spaces. */
static void fitting(void)
{
    static const char rows[] = "[{\"a\": \"x\", \"b\": \"P=1 QQ=22\", \"c\": 12345, \"d\": \"zz\"},"
                               " {\"a\": \"y\", \"b\": \"\", \"c\": 1, \"d\": null}]";
    static const struct output_step steps[] = {{"b", true}, {"none", false}, {"d", false}, {"c", false}, {NULL, false}};
    static const struct {
        size_t width;
        const char *table, *left_out;
    } cases[] = {{0, "a  b              c  d\nx  P=1 QQ=22  12345  zz\ny                 1\n", ""},
                 {23, "a  b              c  d\nx  P=1 QQ=22  12345  zz\ny                 1\n", ""},
                 {22, "a      c  d\nx  12345  zz\n  P=1 QQ=22\ny      1\n", ""},
                 {12, "a      c  d\nx  12345  zz\n  P=1 QQ=22\ny      1\n", ""},
                 {11, "a      c\nx  12345\n  P=1 QQ=22\ny      1\n", "d"},
                 {10, "a      c\nx  12345\n  P=1\n  QQ=22\ny      1\n", "d"},
                 {7, "a\nx\n  P=1\n  QQ=22\ny\n", "d, c"},
                 {1, "a\nx\n  P=1\n  QQ=22\ny\n", "d, c"}};
    cJSON *json = cJSON_Parse(rows);
    CU_ASSERT_PTR_NOT_NULL_FATAL(json);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text out = {0}, left_out = {0};
        output_table(json, &(struct output_fit){cases[i].width, steps}, &out, &left_out);
        CU_ASSERT_STRING_EQUAL(text_string(&out), cases[i].table);
        CU_ASSERT_STRING_EQUAL(text_string(&left_out), cases[i].left_out);
        if (strcmp(text_string(&out), cases[i].table) != 0)
            printf("width %zu:\n%s", cases[i].width, text_string(&out));
        text_free(&out);
        text_free(&left_out);
    }
    cJSON_Delete(json);
}

CU_TestInfo tests_format_text[] = {{"tables", tables},
                                   {"a line for each member", lines},
                                   {"tables that fit the terminal", fitting},
                                   CU_TEST_INFO_NULL};
