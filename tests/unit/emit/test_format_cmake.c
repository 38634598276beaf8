#include "rows.h"

#define COLLIDE "set(P_TUNED_TARGETS P_TUNED_FOR_OTHER P_TUNED_FOR_A_B P_TUNED_FOR_A_B_ P_TUNED_FOR_A_B__)\n"
/* The third device's first name is that of the second, its next that of the first. */
#define COLLIDE_TWICE "set(P_TUNED_TARGETS P_TUNED_FOR_OTHER P_TUNED_FOR_A_B_ P_TUNED_FOR_A_B P_TUNED_FOR_A_B__)\n"

static const struct emit_call calls[] = {
    {{"A B|N=1|T=1|T=2|1", "A-B|N=1|T=1|T=2|1", "a_b|N=1|T=1|T=2|1"}, "p", NULL, 0, COLLIDE},
    {{"A B_|N=1|T=1|T=2|1", "A B|N=1|T=1|T=2|1", "a-b|N=1|T=1|T=2|1"}, "p", NULL, 0, COLLIDE_TWICE},
    {{"\"a\\b$\tc\xc3\xa9\xff\"|N=1|T=1|T=2|1"},
     "p",
     NULL,
     0,
     "set(P_TUNED_DEVICE \"\\\"a\\\\b\\$.c\xc3\xa9.\\\"\")\n"},
};

static void emitting(void)
{
    EXPECT_CALLS(calls, "cmake");
}

CU_TestInfo tests_format_cmake[] = {{"variables of CMake", emitting}, CU_TEST_INFO_NULL};
