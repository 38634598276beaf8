#include "formats.h"

static void arrays(void)
{
    static const struct format_case cases[] = {
        {"[]", false, "[]\n"},
        {"[{\"a\": 1, \"b\": \"x\"}, {\"a\": null, \"b\": [true]}]", false,
         "[{\n\t\t\"a\":\t1,\n\t\t\"b\":\t\"x\"\n\t}, {\n\t\t\"a\":\tnull,\n\t\t\"b\":\t[true]\n\t}]\n"},
        {"[{\"a\": 1}]", true, "[{\n\t\t\"a\":\t1\n\t}]\n"},
        /* What is no valid UTF-8, and what steers a terminal, is escaped and stays JSON. */
        {"[\"\xff\"]", false, "[\"\\ufffd\"]\n"},
        {"[\"\x7f\xc2\x9b\"]", false, "[\"\\u007f\\u009b\"]\n"}};
    expect_format("json", cases, sizeof cases / sizeof *cases);
}

CU_TestInfo tests_format_json[] = {{"arrays", arrays}, CU_TEST_INFO_NULL};
