#include <math.h>

#include <CUnit/Basic.h>

#include "analyse/verdict.h"

static const struct {
    double before[2], now[2], margin; /* intervals; their middles are the medians */
    enum verdict verdict;
} cases[] = {
    {{99, 101}, {99, 101}, 0.03, VERDICT_SAME},         {{100, 100}, {100, 100}, 0, VERDICT_SAME},
    {{99, 101}, {99, 101}, 0.01, VERDICT_AMBIGUOUS}, /* could be 2% apart */
    {{99, 101}, {102, 104}, 0.01, VERDICT_SLOWER},      {{102, 104}, {99, 101}, 0.01, VERDICT_FASTER},
    {{99, 101}, {101, 103}, 0.01, VERDICT_AMBIGUOUS},   /* they touch */
    {{100, 100.1}, {100.2, 100.3}, 0.01, VERDICT_SAME}, /* certainly slower, and certainly by little */
    {{100, 100.1}, {100.2, 100.3}, 0, VERDICT_SLOWER},  {{99, 101}, {90, 120}, 0.01, VERDICT_AMBIGUOUS},
    {{NAN, NAN}, {99, 101}, 0.01, VERDICT_AMBIGUOUS},   {{99, 101}, {NAN, NAN}, 0.01, VERDICT_AMBIGUOUS},
};

static void test_verdicts(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct measurement before = measurement_unknown(STATUS_OK), now = before;
        before.low_ns = cases[i].before[0];
        before.high_ns = cases[i].before[1];
        before.time_ns = 100;
        now.low_ns = cases[i].now[0];
        now.high_ns = cases[i].now[1];
        now.time_ns = 150;
        struct verdict_ratio ratio = verdict_of(&before, &now, cases[i].margin);
        CU_ASSERT_STRING_EQUAL(verdict_name(ratio.verdict), verdict_name(cases[i].verdict));
        CU_ASSERT_DOUBLE_EQUAL(ratio.ratio, 1.5, 1e-12);
    }
}

CU_TestInfo tests_verdict[] = {{"tells from the intervals", test_verdicts}, CU_TEST_INFO_NULL};
