#include "rows.h"

static const struct emit_call calls[] = {
    {{"A|N=1|T=1|T=2|1"}, "p", NULL, 0, "        {\"A\", 90, 132, 50LL, 1LL, 1500.5, 1},\n"},
    {{"A|N=1|T=1|T=2|1"}, "p", NULL, 0, "        {\"\", 0, 0, 0LL, 0LL, 0.0, 2}\n"},
    {{"A|N=1|T=1|T=2|1|of_later"},
     "p",
     NULL,
     0,
     "        {\"A\", 90, 132, 50LL, 1LL, 0.0, 1},\n"}, /* of a newer cutune */
    {{"A|N=1|T=1|T=2|1"}, "pQ_1", NULL, 0, "#ifndef PQ_1_TUNED_H\n"},
    {{"A||||1"}, "p", NULL, 0, "long long l2_bytes, int *rule)"},
    {{"A|N=1|T=1 U=x|T=2 U=y|1"}, "p", NULL, 0, "    int T;\n    const char *U;\n"},
    {{"A|N=1|T=1 U=x|U=y T=2|1"}, "p", NULL, 0, "0.0, 2, \"y\"}\n"},
    {{"A|N=1|T=1||1"}, "p", NULL, 0, "the newest row stands in: A, N=1.\n"},
    {{"A|N=1|T=1|T=2.5|1"}, "p", NULL, 0, "    double T;\n"},
    {{"A|N=1|T=1|T=2.5|1"}, "p", NULL, 0, "1500.5, 1.0},\n"},
    {{"A|N=1|T=1|T=auto|1"}, "p", NULL, 0, "    const char *T;\n"},
    {{"A|N=1|T=3000000000|T=1|1"}, "p", NULL, 0, "    long long T;\n"},
    {{"A|N=1|T=-9223372036854775808|T=-1|1"}, "p", NULL, 0, "(-9223372036854775807LL - 1)}"},
    {{"A|X=0.5|T=1|T=2|1"}, "p", NULL, 0, "double problem_X, int *rule)"},
    {{"A|N=1|int=1 class=2 device=3 int_=4|int=1 class=2 device=3 int_=4|1"},
     "p",
     NULL,
     0,
     "    int int_;\n    int class_;\n    int device_;\n    int int__;\n"},
    {{"A|N=1|problem_N=1|problem_N=2|1"}, "p", NULL, 0, "    int problem_N_;\n"},
    {{"A|N=1|T=1|T=2|3", "B|N=1|T=5|T=7|2"}, "p", NULL, 0, "0.0, 2}\n"},
    {{"A|M=1 N=2|T=1 U=3|T=1 U=3|1", "B|N=1 M=2|U=5 T=6|U=7 T=8|2"}, "p", NULL, 0, "problem_N, long long problem_M, "},
    {{"A|M=1 N=2|T=1 U=3|T=1 U=3|1", "B|N=1 M=2|U=5 T=6|U=7 T=8|2"}, "p", NULL, 0, "2LL, 1LL, 1500.5, 3, 1},\n"},
    {{"A|N=1|struc=1 truct=2 nt=3 int=4|struc=1 truct=2 nt=3 int=4|1"}, /* parts of words do not match */
     "p",
     NULL,
     0,
     "    int struc;\n    int truct;\n    int nt;\n    int int_;\n"},
    {{"A|N=1|_t=1 _1=2 a__b=3 _=4|_t=1 _1=2 a__b=3 _=4|1"},
     "p",
     NULL,
     0,
     "    int _t;\n    int _1;\n    int a__b;\n    int _;\n"},
    {{"A|N=9223372036854775807|T=1|T=2|1"}, "p", NULL, 0, "        {\"A\", 90, 132, 50LL, 9223372036854775807LL, "},
};

static void emitting(void)
{
    EXPECT_CALLS(calls, "header");
}

CU_TestInfo tests_format_header[] = {{"struct, table and selection", emitting}, CU_TEST_INFO_NULL};
