/* Selects the finalists of a play-off. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "tuner/playoff.h"

enum { PLACES = 8, MARK = 4 };

static void picks(void)
{
    /* By key: time (0: it failed; negative: a bound), key of the duplicate + 1, marked. */
    static const struct {
        struct {
            double value;
            int duplicate;
            bool unmarked;
        } of[PLACES];
        size_t most;
        const char *expected;
    } cases[] = {
        {{{10000, 0, 0}, {9990, 0, 0}, {10020, 0, 0}, {20000, 0, 0}}, 8, "1 0 2"},
        {{{10000, 0, 0}, {9990, 0, 0}, {10020, 0, 0}, {9980, 0, 0}}, 2, "3 1"},
        {{{10000, 0, 0}, {9990, 0, 0}}, 0, ""},
        {{{10000, 0, 0}, {0, 0, 0}, {-9000, 0, 0}, {9000, 0, true}}, 8, "0"},
        /* the original represents its duplicates if it is marked */
        {{{10000, 2, 0}, {10000, 0, 0}, {10000, 2, 0}}, 8, "1"},
        {{{10000, 2, 0}, {10000, 0, true}, {10000, 2, 0}, {10010, 0, 0}}, 8, "0 3"},
        {{{0, 0, 0}, {10010, 0, 0}, {10000, 8, 0}, {10000, 8, 0}, {10005, 7, 0}}, 8, "2 1"},
        /* the second duplicate is not better, the third does not make room for another */
        {{{10005, 0, 0}, {10000, 8, 0}, {10001, 0, 0}, {10000, 8, 0}, {10002, 0, 0}}, 3, "1 2 4"},
        /* a duplicate of a failed original has failed */
        {{{10000, 2, 0}, {0, 0, 0}, {12000, 0, 0}}, 8, "2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct outcomes outcomes = {0};
        struct measurement measurements[PLACES];
        struct error error = {0};
        uint64_t keys[PLACES];
        char found[64] = "";
        for (uint64_t k = 0; k < PLACES; k++) {
            double value = fabs(cases[i].of[k].value);
            int duplicate = cases[i].of[k].duplicate;
            measurements[k] = measurement_unknown(cases[i].of[k].value < 0 ? STATUS_SLOWER
                                                  : value > 0              ? STATUS_OK
                                                                           : STATUS_CRASHED);
            if (value > 0) {
                measurements[k].value = value;
                measurements[k].low = 0.99 * value;
                measurements[k].high = 1.01 * value;
            }
            if (k == 7) /* some originals are missing */
                continue;
            CU_ASSERT_EQUAL(outcomes_add(&outcomes, k, duplicate ? (uint64_t)duplicate - 1 : OUTCOME_NO_DUPLICATE,
                                         &measurements[k], &error),
                            0);
            outcomes_find(&outcomes, k)->marks = cases[i].of[k].unmarked ? 2 : MARK;
        }
        size_t count = playoff_pick(&outcomes, MARK, cases[i].most, keys);
        for (size_t k = 0; k < count; k++)
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%d", k ? " " : "", (int)keys[k]);
        CU_ASSERT_STRING_EQUAL(found, cases[i].expected);
        outcomes_free(&outcomes);
    }
}

CU_TestInfo tests_playoff[] = {{"who takes part", picks}, CU_TEST_INFO_NULL};
