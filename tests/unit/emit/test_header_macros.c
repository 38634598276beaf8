#include "rows.h"

static const struct emit_call calls[] = {
    {{"A|N=1|T=1|T=2|1"}, "p", NULL, 0, "#define P_T 1\n"},
    {{"A|N=1|T=-2147483648|T=-1|1"}, "p", NULL, 0, "#define P_T (-2147483647 - 1)\n"},
    {{"A|N=1|T=-0.5|T=1|1"}, "p", NULL, 0, "#define P_T (-0.5)\n"},
    {{"A|N=1|T=010|T=08|1"}, "p", NULL, 0, "#define P_T 10\n"},
    {{"a\"b\\?\?/|N=1|T=1|T=2|1"}, "p", NULL, 0, "#define P_TUNED_DEVICE \"a\\\"b\\\\\\?\\?/\"\n"},
    {{"A|N=1|T=1|T=2|1", "B|N=1|T=5|T=2|2"}, "p", NULL, 0, "#define P_T 5\n"},
    {{"A|N=1|T=1|T=2|3", "B|N=1|T=5|T=2|2"}, "p", NULL, 0, "#define P_T 1\n"},
    {{"A|N=1|T=1|T=2|3", "B|N=1|T=5|T=2|2", "B|N=2|T=6|T=2|1"}, "p", "b", 0, "#define P_T 5\n"},
    {{"AB|N=1|T=1|T=2|3", "B|N=1|T=5|T=2|2"}, "p", "B", 0, "#define P_T 5\n"},
    {{"a*/\n/*b|N=1|T=1|T=2|1"}, "p", NULL, 0, " *   a* /./ *b, N=1: "},
    {{"A|N=1|T=1|T=2|1|time|cache=cold"}, "p", NULL, 0, "A, N=1: 1.5005 us, 1\n"},
    {{"A|N=1|T=1|T=2|1|time|cache=cold reference=unverified"}, "p", NULL, 0, "A, N=1: 1.5005 us, unverified, 1\n"},
};

static void emitting(void)
{
    EXPECT_CALLS(calls, "header");
}

CU_TestInfo tests_header_macros[] = {{"constants and their comment", emitting}, CU_TEST_INFO_NULL};
