#include "commands/judge_floor.h"

#include <math.h>
#include <stdio.h>

#include <CUnit/Basic.h>

static const double l2_bytes = 50e6, copy = 4e12;

/* A device of 4 TB/s with an L2 of 50 MB: 900 MB beyond the L2 take 180 us at 1.25 times the ceiling. */
static const struct row {
    const char *what;
    double bytes, copy, time_ns;
    bool impossible;
} rows[] = {
    {"a copy at the ceiling", 1e9, copy, 250e3, false},
    {"reads that are faster than a copy", 1e9, copy, 225e3, false},
    {"the L2 holds all writes, and some reads", 1e9, copy, 200e3, false},
    {"a kernel that moves next to nothing", 1e9, copy, 20e3, true},
    {"just below the floor", 1e9, copy, 179e3, true},
    {"a problem that the L2 holds", 90e6, copy, 10, false},
    {"an underflown time", 1e9, copy, 0, true},
    {"no `bytes`", NAN, copy, 10, false},
    {"an unknown ceiling", 1e9, NAN, 10, false},
};

static void times_are_possible_or_not(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text why = {0};
        const struct judge_floor floor = {
            .known = rows[i].copy > 0, .l2_bytes = l2_bytes, .copy = rows[i].copy, .bytes = rows[i].bytes};
        struct measurement measurement = measurement_unknown(STATUS_OK);
        measurement.value = rows[i].time_ns;
        if (judge_floor_explain(&floor, &measurement, &why) != rows[i].impossible)
            fprintf(stderr, "%s\n", rows[i].what);
        CU_ASSERT_EQUAL((why.length > 0), rows[i].impossible);
        text_free(&why);
    }
}

/* Configurations that do different amounts of work have their own bytes, and the time of a run counts. */
static void amounts_of_work(void)
{
    struct text why = {0};
    const struct judge_floor floor = {.known = true, .l2_bytes = l2_bytes, .copy = copy, .bytes = NAN};
    struct measurement measurement = measurement_unknown(STATUS_OK);
    measurement.value = 200e3;
    const struct work_amounts amounts = {.work = 1000, .bytes = 1e9, .flops = NAN};
    measurement_per_work(&measurement, &amounts);
    CU_ASSERT_FALSE(judge_floor_explain(&floor, &measurement, &why));
    measurement.run_ns = 100e3;
    CU_ASSERT_TRUE(judge_floor_explain(&floor, &measurement, &why));
    text_free(&why);
}

CU_TestInfo tests_judge_floor[] = {
    {"times_are_possible_or_not", times_are_possible_or_not}, {"amounts_of_work", amounts_of_work}, CU_TEST_INFO_NULL};
