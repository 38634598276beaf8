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

CU_TestInfo tests_format_text[] = {{"tables", tables}, {"a line for each member", lines}, CU_TEST_INFO_NULL};
