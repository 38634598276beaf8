#include "formats.h"

static void arrays(void)
{
    static const struct format_case cases[] = {
        {"[]", false, "[]\n"},
        {"[{\"a\": 1, \"b\": \"x\"}, {\"a\": null, \"b\": [true]}]", false,
         "[{\n\t\t\"a\":\t1,\n\t\t\"b\":\t\"x\"\n\t}, {\n\t\t\"a\":\tnull,\n\t\t\"b\":\t[true]\n\t}]\n"},
        {"[{\"a\": 1}]", true, "[{\n\t\t\"a\":\t1\n\t}]\n"},
        /* Invalid UTF-8 and terminal control characters are escaped, and the result is JSON. */
        {"[\"\xff\"]", false, "[\"\\ufffd\"]\n"},
        {"[\"\x7f\xc2\x9b\"]", false, "[\"\\u007f\\u009b\"]\n"}};
    expect_format("json", cases, sizeof cases / sizeof *cases);
}

CU_TestInfo tests_format_json[] = {{"arrays", arrays}, CU_TEST_INFO_NULL};
