/* The table of rules. */
#include "rule_cases.h"

static void test_unknown(void)
{
    const struct evidence unknown = evidence_unknown();
    for (size_t r = 0; r < CAUSE_COUNT; r++) {
        const struct rule_pair pair = {&unknown, &unknown};
        CU_ASSERT_EQUAL(rule_strength(&rule_rows[r], &pair, true), 0);
        CU_ASSERT_EQUAL(rule_strength(&rule_rows[r], &pair, false), 0);
        CU_ASSERT(isnan(rule_rows[r].counters.of(&unknown)));
        CU_ASSERT(isnan(rule_rows[r].code.of(&unknown)));
    }
}

CU_TestInfo tests_rules[] = {{"unknown evidence shows nothing", test_unknown}, CU_TEST_INFO_NULL};
