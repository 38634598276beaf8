#include "rows.h"

static const struct emit_call calls[] = {
    {{"a\x7f\xff\xc3\xa9|N=1|T=2147483648 U=0.5 V=x|T=2 U=1 V=y|1"},
     "p",
     NULL,
     0,
     "\"device\":\t\"a\\u007f\\ufffd\xc3\xa9\""},
    {{"A|N=1|T=2147483648 U=0.25 V=x|T=2 U=1 V=y|1"}, "p", NULL, 0, "\"T\":\t2147483648,"},
    {{"A|N=1|T=2147483648 U=0.25 V=x|T=2 U=1 V=y|1"}, "p", NULL, 0, "\"U\":\t0.25,"},
    {{"A|N=1|T=2147483648 U=0.25 V=x|T=2 U=1 V=y|1"}, "p", NULL, 0, "\"V\":\t\"x\""},
};

static void emitting(void)
{
    EXPECT_CALLS(calls, "json");
}

CU_TestInfo tests_format_json[] = {{"values of every kind", emitting}, CU_TEST_INFO_NULL};
