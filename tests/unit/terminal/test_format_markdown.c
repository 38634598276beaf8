#include "formats.h"

static void tables(void)
{
    static const struct format_case cases[] = {
        {"[]", false, ""},
        {"[{\"a\": 1, \"b\": \"x\"}, {\"a\": 2.5, \"b\": null}]", false,
         "| a | b |\n| ---: | --- |\n| 1 | x |\n| 2.5 |  |\n"},
        {"[{\"a|b\": \"x|y\\nz\"}]", false, "| a\\|b |\n| --- |\n| x\\|y z |\n"}, /* one line, one cell */
        {"[{\"a\": \"<b>*c* `d` [e](f) \\\\ ~g~\"}]", false,
         "| a |\n| --- |\n| \\<b\\>\\*c\\* \\`d\\` \\[e\\](f) \\\\ \\~g\\~ |\n"},
        {"[{\"a\": \"BLOCK_ROWS=8\\u001b[31m\"}]", false, "| a |\n| --- |\n| BLOCK_ROWS=8 \\[31m |\n"},
        {"[{\"a\": 0.123456789012}]", false, "| a |\n| ---: |\n| 0.123457 |\n"}}; /* six digits for people */
    expect_format("markdown", cases, sizeof cases / sizeof *cases);
    CU_ASSERT(output_format("markdown")->people && !output_format("markdown")->prose);
}

static void lines(void)
{
    static const struct format_case cases[] = {
        {"[]", true, ""},
        {"[{\"name\": \"a|b\", \"n\": 12}, {\"name\": null, \"n\": 3}]", true,
         "| | |\n| --- | --- |\n| name | a\\|b |\n| n | 12 |\n\n| | |\n| --- | --- |\n| name |  |\n| n | 3 |\n"}};
    expect_format("markdown", cases, sizeof cases / sizeof *cases);
}

CU_TestInfo tests_format_markdown[] = {{"tables", tables}, {"a table of each row", lines}, CU_TEST_INFO_NULL};
