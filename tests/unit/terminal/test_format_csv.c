#include "formats.h"

static void records(void)
{
    static const struct format_case cases[] = {
        {"[]", false, ""},
        {"[{\"a\": 1, \"b\": \"x\"}, {\"a\": 2.5, \"b\": null}]", false, "a,b\n1,x\n2.5,\n"},
        {"[{\"a\": 1}]", true, "a\n1\n"}, /* single shape */
        {"[{\"a,b\": \"x,y\"}]", false, "\"a,b\"\n\"x,y\"\n"},
        {"[{\"a\": \"say \\\"hi\\\"\"}]", false, "a\n\"say \"\"hi\"\"\"\n"},
        {"[{\"a\": \"two\\nlines\"}]", false, "a\n\"two\nlines\"\n"},
        {"[{\"a\": \" b\", \"c\": \"d \", \"e\": \"f g\"}]", false, "a,c,e\n\" b\",\"d \",f g\n"},
        {"[{\"a\": \"red \\u001b[31m\"}]", false, "a\nred ?[31m\n"},
        {"[{\"a\": true, \"b\": [1, 2]}]", false, "a,b\ntrue,\"[1,2]\"\n"},
        {"[{\"a\": 0.123456789012}]", false, "a\n0.123456789012\n"} /* all digits */
    };
    expect_format("csv", cases, sizeof cases / sizeof *cases);
}

CU_TestInfo tests_format_csv[] = {{"records", records}, CU_TEST_INFO_NULL};
