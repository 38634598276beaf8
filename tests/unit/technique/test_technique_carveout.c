/* The carve-out in a configuration's launch. */
#include "technique.h"

static void meaning(void)
{
    static const struct meaning_row rows[] = {
        {"carveout 50", "", "", "carveout 50"},
        {"carveout A > 1 ? 0 : -1", "", "A=1", "none"},
        {"carveout A > 1 ? 0 : -1", "", "A=2", "carveout 0"},
        {"carveout 99 + A", "", "A=2",
         "the carve-out in percent must be from -1 to 100, not 101, in carveout at A=2 R=0.25 "
         "HOST=pageable WHEN=before"},
    };
    expect_meanings(rows, COUNT(rows));
}

CU_TestInfo tests_technique_carveout[] = {{"meaning", meaning}, CU_TEST_INFO_NULL};
