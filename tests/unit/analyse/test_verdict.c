#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "analyse/verdict.h"

static const struct {
    double before[2], now[2], margin; /* intervals; the medians are 100 and 150 */
    enum verdict verdict;
} cases[] = {
    {{99, 101}, {99, 101}, 0.03, VERDICT_SAME},
    {{100, 100}, {100, 100}, 0, VERDICT_SAME},
    {{99, 101}, {99, 101}, 0.01, VERDICT_AMBIGUOUS}, /* may be 2% apart */
    {{99, 101}, {102, 104}, 0.01, VERDICT_SLOWER},
    {{102, 104}, {99, 101}, 0.01, VERDICT_FASTER},
    {{99, 101}, {101, 103}, 0.01, VERDICT_AMBIGUOUS},   /* they touch */
    {{101, 103}, {99, 101}, 0.01, VERDICT_AMBIGUOUS},   /* the other way round */
    {{100, 100.1}, {100.2, 100.3}, 0.01, VERDICT_SAME}, /* certainly slower, but not by much */
    {{100, 100.1}, {100.2, 100.3}, 0, VERDICT_SLOWER},
    {{99, 101}, {90, 120}, 0.01, VERDICT_AMBIGUOUS},
    /* The margin is a ratio in both directions: with 25%, 0.8 to 1.25. */
    {{128, 128}, {102.4, 128}, 0.25, VERDICT_SAME},
    {{128, 128}, {102, 127}, 0.25, VERDICT_FASTER},
    {{128, 128}, {97, 128}, 0.25, VERDICT_AMBIGUOUS},
    {{128, 128}, {129, 160}, 0.25, VERDICT_SAME},
    {{128, 128}, {129, 161}, 0.25, VERDICT_SLOWER},
};

static struct measurement timed(double low, double value, double high)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    measurement.low = low;
    measurement.value = value;
    measurement.high = high;
    return measurement;
}

static void test_intervals(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct measurement before = timed(cases[i].before[0], 100, cases[i].before[1]);
        struct measurement now = timed(cases[i].now[0], 150, cases[i].now[1]);
        struct verdict_ratio ratio = verdict_of(&before, &now, cases[i].margin);
        CU_ASSERT_STRING_EQUAL(verdict_name(ratio.verdict), verdict_name(cases[i].verdict));
        CU_ASSERT(!ratio.by_medians);
        CU_ASSERT_DOUBLE_EQUAL(ratio.ratio, 1.5, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(ratio.low, cases[i].now[0] / cases[i].before[1], 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(ratio.high, cases[i].now[1] / cases[i].before[0], 1e-12);
    }
}

/* One unknown end of an interval is enough. */
static void test_medians(void)
{
    static const struct {
        double now_ns, margin;
        enum verdict verdict;
    } medians[] = {
        {128, 0, VERDICT_SAME},      {129, 0, VERDICT_SLOWER},        {127, 0, VERDICT_FASTER},
        {160, 0.25, VERDICT_SAME},   {160.001, 0.25, VERDICT_SLOWER}, {102.4, 0.25, VERDICT_SAME},
        {102, 0.25, VERDICT_FASTER}, /* 0.797: nearer to 1 than 1 - 0.25 */
    };
    for (size_t i = 0; i < sizeof medians / sizeof *medians; i++)
        for (int end = 0; end < 4; end++) {
            struct measurement before = timed(128, 128, 128), now = timed(127, medians[i].now_ns, 161);
            double *const ends[] = {&before.low, &before.high, &now.low, &now.high};
            *ends[end] = NAN;
            struct verdict_ratio ratio = verdict_of(&before, &now, medians[i].margin);
            CU_ASSERT_STRING_EQUAL(verdict_name(ratio.verdict), verdict_name(medians[i].verdict));
            CU_ASSERT(ratio.by_medians);
        }
}

/* Times of different power states are not compared; unknown and mixed ones are. */
static void test_states(void)
{
    static const struct {
        const char *before, *now;
        enum verdict verdict;
    } rows[] = {
        {"", "", VERDICT_SLOWER},
        {"9x1980:0:45", "9x1980:0:45", VERDICT_SLOWER},
        {"9x1604:4:61", "9x1604:4:61", VERDICT_SLOWER},
        {"9x1980:0:45", "9x1604:4:61", VERDICT_OTHER_STATE},
        {"9x1604:4:61", "9x1980:0:45", VERDICT_OTHER_STATE},
        {"9x1604:4:61", "", VERDICT_SLOWER},
        {"9x1604:4:61", "9x1980:-:45", VERDICT_SLOWER},
        {"9x1980:0:45", "9x1980:0:45/1x1604:4:61", VERDICT_SLOWER},
        {"nonsense", "9x1604:4:61", VERDICT_SLOWER},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct measurement before = timed(99, 100, 101), now = timed(149, 150, 151);
        strcpy(before.states, rows[i].before);
        strcpy(now.states, rows[i].now);
        struct verdict_ratio ratio = verdict_of(&before, &now, 0.01);
        CU_ASSERT_STRING_EQUAL(verdict_name(ratio.verdict), verdict_name(rows[i].verdict));
        CU_ASSERT_DOUBLE_EQUAL(ratio.ratio, 1.5, 1e-12);
    }
}

/* A missing time: not evaluated, or evaluated and failed. */
static void test_without_time(void)
{
    struct measurement ok = timed(100, 100, 100), bound = ok, duplicate = ok, wrong = ok, late = ok, untimed = ok;
    bound.status = STATUS_SLOWER;
    duplicate.status = STATUS_DUPLICATE;
    wrong.status = STATUS_WRONG_RESULT; /* timed, but wrong */
    late = measurement_unknown(STATUS_TIMEOUT);
    untimed.value = NAN;
    const struct {
        const struct measurement *before, *now;
        enum verdict verdict;
    } rows[] = {{&ok, &ok, VERDICT_SAME},        {&ok, &bound, VERDICT_SAME},      {&bound, &ok, VERDICT_SAME},
                {&ok, &duplicate, VERDICT_SAME}, {&ok, &wrong, VERDICT_BROKEN},    {&ok, &late, VERDICT_BROKEN},
                {&ok, &untimed, VERDICT_BROKEN}, {&bound, &late, VERDICT_BROKEN},  {&ok, NULL, VERDICT_MISSING},
                {&wrong, &ok, VERDICT_UNKNOWN},  {&late, &late, VERDICT_UNKNOWN},  {NULL, &ok, VERDICT_UNKNOWN},
                {NULL, NULL, VERDICT_UNKNOWN},   {&untimed, NULL, VERDICT_UNKNOWN}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct verdict_ratio ratio = verdict_of(rows[i].before, rows[i].now, 0.01);
        CU_ASSERT_STRING_EQUAL(verdict_name(ratio.verdict), verdict_name(rows[i].verdict));
        CU_ASSERT_EQUAL(isnan(ratio.ratio) != 0, rows[i].verdict != VERDICT_SAME);
        CU_ASSERT(!ratio.by_medians);
    }
}

CU_TestInfo tests_verdict[] = {{"tells from the intervals", test_intervals},
                               {"without intervals, tells from the medians", test_medians},
                               {"knows broken, missing and unknown results", test_without_time},
                               {"compares no times of different power states", test_states},
                               CU_TEST_INFO_NULL};
