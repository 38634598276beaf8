#include "rows.h"

static const struct emit_call calls[] = {
    {{"A|N=1|T=1|T=2|1", "A|N=9|T=5|T=2|1"}, "p", "N=8", 0, "-DT=5\n"},
    {{"A|N=1|T=1|T=2|1", "A|N=9|T=5|T=2|1"}, "p", "N=2", 0, "-DT=1\n"},
    {{"A|N=1|T=1|T=2|1", "A|N=-9|T=5|T=2|1"}, "p", "N=-9", 0, "-DT=5\n"},
    {{"A|N=1|T=1|T=2|1", "A|N=0|T=5|T=2|1"}, "p", "N=0", 0, "-DT=5\n"},
    {{"A|N=1|T=1 U=x V=0.5|T=2 U=y V=1|1"}, "p", NULL, 0, "-DT=1 -DU=x -DV=0.5\n"},
};

static void emitting(void)
{
    EXPECT_CALLS(calls, "flags");
}

CU_TestInfo tests_format_flags[] = {{"options of a compiler", emitting}, CU_TEST_INFO_NULL};
