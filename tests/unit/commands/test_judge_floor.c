#include "commands/judge_floor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

static const double l2_bytes = 50e6, copy = 4e12, peak = 1e15;

/* A device of 4 TB/s with an L2 of 50 MB: 900 MB beyond the L2 take 180 us at 1.25 times the ceiling. At 1000 TFLOP/s,
 * half of 1e12 operations take 500 us. */
static const struct row {
    const char *what;
    double bytes, copy, flops, peak, time_ns;
    const char *statement; /* NULL: the time is possible */
} rows[] = {
    {"a copy at the ceiling", 1e9, copy, NAN, peak, 250e3, NULL},
    {"reads that are faster than a copy", 1e9, copy, NAN, peak, 225e3, NULL},
    {"the L2 holds all writes, and some reads", 1e9, copy, NAN, peak, 200e3, NULL},
    {"a kernel that moves next to nothing", 1e9, copy, NAN, peak, 20e3, "`bytes`"},
    {"just below the floor", 1e9, copy, NAN, peak, 179e3, "`bytes`"},
    {"a problem that the L2 holds", 90e6, copy, NAN, peak, 10, NULL},
    {"an underflown time", 1e9, copy, NAN, peak, 0, "`bytes`"},
    {"no statement", NAN, copy, NAN, peak, 10, NULL},
    {"an unknown ceiling", 1e9, NAN, NAN, peak, 10, NULL},
    {"operations at the peak", NAN, copy, 1e12, peak, 1000e3, NULL},
    {"a fast algorithm at the peak", NAN, copy, 1e12, peak, 501e3, NULL},
    {"just below the floor of the operations", NAN, copy, 1e12, peak, 499e3, "`flops`"},
    {"an unknown peak", NAN, copy, 1e12, NAN, 10, NULL},
    {"operations of a run over the host link", 1e9, NAN, 1e12, peak, 499e3, "`flops`"},
    {"both floors, the higher by bytes", 1e9, copy, 1e11, peak, 10, "`bytes`"},
    {"both floors, the higher by flops", 1e9, copy, 1e12, peak, 10, "`flops`"},
    {"between both floors", 1e9, copy, 1e12, peak, 300e3, "`flops`"},
};

static void times_are_possible_or_not(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text why = {0};
        const struct judge_floor floor = {.l2_bytes = l2_bytes,
                                          .copy = rows[i].copy,
                                          .peak = rows[i].peak,
                                          .bytes = rows[i].bytes,
                                          .flops = rows[i].flops};
        struct measurement measurement = measurement_unknown(STATUS_OK);
        measurement.value = rows[i].time_ns;
        if (judge_floor_explain(&floor, &measurement, &why) != (rows[i].statement != NULL))
            fprintf(stderr, "%s\n", rows[i].what);
        CU_ASSERT_EQUAL((why.length > 0), (rows[i].statement != NULL));
        CU_ASSERT(!rows[i].statement || strstr(text_string(&why), rows[i].statement));
        text_free(&why);
    }
}

/* Configurations that do different amounts of work have their own bytes and operations, and the time of a run counts.
 */
static void amounts_of_work(void)
{
    static const struct work_amounts amounts[] = {{.work = 1000, .bytes = 1e9, .flops = NAN},
                                                  {.work = 1000, .bytes = NAN, .flops = 3e11}};
    for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
        struct text why = {0};
        const struct judge_floor floor = {.l2_bytes = l2_bytes, .copy = copy, .peak = peak, .bytes = NAN, .flops = NAN};
        struct measurement measurement = measurement_unknown(STATUS_OK);
        measurement.value = 200e3;
        measurement_per_work(&measurement, &amounts[i]);
        CU_ASSERT_FALSE(judge_floor_explain(&floor, &measurement, &why));
        measurement.run_ns = 100e3;
        CU_ASSERT_TRUE(judge_floor_explain(&floor, &measurement, &why));
        text_free(&why);
    }
}

CU_TestInfo tests_judge_floor[] = {
    {"times_are_possible_or_not", times_are_possible_or_not}, {"amounts_of_work", amounts_of_work}, CU_TEST_INFO_NULL};
