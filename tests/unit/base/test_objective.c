#include "base/objective.h"

#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

/* Two objectives: lower is better, and higher is better. */
static const struct objective energy = {.name = "energy", .unit = "J", .least = 1e-12, .most = 1e12};
static const struct objective throughput = {
    .name = "rate", .unit = "1/s", .higher_is_better = true, .least = 1e-12, .most = 1e12};

static void which_is_better(void)
{
    static const struct {
        const struct objective *objective;
        double a, b, best, gain; /* gain: how many times better b is */
        bool better;             /* a than b */
    } rows[] = {{&energy, 2, 4, 2, 0.5, true},
                {&energy, 4, 2, 2, 2, false},
                {&energy, 2, 2, 2, 1, false},
                {&throughput, 2, 4, 4, 2, false},
                {&throughput, 4, 2, 4, 0.5, true},
                {&throughput, 2, 2, 2, 1, false},
                {&energy, NAN, 2, 2, NAN, false},
                {&throughput, NAN, 2, 2, NAN, false},
                {&energy, 2, NAN, 2, NAN, false},
                {&throughput, 2, NAN, 2, NAN, false},
                {&objective_row_time, 3, 6, 3, 0.5, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double gain = objective_gain(rows[i].objective, rows[i].a, rows[i].b);
        CU_ASSERT_EQUAL(objective_better(rows[i].objective, rows[i].a, rows[i].b), rows[i].better);
        CU_ASSERT_EQUAL(objective_best(rows[i].objective, rows[i].a, rows[i].b), rows[i].best);
        CU_ASSERT(gain == rows[i].gain || (isnan(gain) && isnan(rows[i].gain)));
    }
}

static void costs_and_ends(void)
{
    CU_ASSERT_EQUAL(objective_cost(&energy, 4), 4);
    CU_ASSERT_EQUAL(objective_cost(&throughput, 4), 0.25);
    CU_ASSERT_EQUAL(objective_better_end(&energy, 1, 2), 1);
    CU_ASSERT_EQUAL(objective_worse_end(&energy, 1, 2), 2);
    CU_ASSERT_EQUAL(objective_better_end(&throughput, 1, 2), 2);
    CU_ASSERT_EQUAL(objective_worse_end(&throughput, 1, 2), 1);
    CU_ASSERT(objective_better(&energy, 1e300, objective_worst(&energy)));
    CU_ASSERT(objective_better(&throughput, 1e-300, objective_worst(&throughput)));
}

static void rates_of_durations(void)
{
    CU_ASSERT_DOUBLE_EQUAL(objective_rate(&objective_row_time, 8e9, 2e9), 4e9, 1);
    CU_ASSERT_EQUAL(objective_percent(&objective_row_time, 500, 1000), 50);
    CU_ASSERT(isnan(objective_rate(&energy, 8e9, 2e9)) && isnan(objective_percent(&energy, 500, 1000)));
}

static void values_of_time(void)
{
    static const struct {
        double value;
        bool is_value;
    } cases[] = {{1e-9, true}, {5, true},    {1e18, true},     {9.99e-10, false}, {0, false},
                 {-5, false},  {NAN, false}, {1.01e18, false}, {INFINITY, false}, {-INFINITY, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT_EQUAL(objective_is_value(&objective_row_time, cases[i].value), cases[i].is_value);
}

/* Objectives of one aim exclude each other; a name without a row is its own aim. */
static void aims(void)
{
    CU_ASSERT_STRING_EQUAL(objective_aim("time"), "time");
    CU_ASSERT_STRING_EQUAL(objective_aim("of a newer version"), "of a newer version");
}

/* Every row is complete and has unique names, by which files find it. */
static void rows_of_the_list(void)
{
    CU_ASSERT_PTR_EQUAL(objective_default(), objective_rows[0]);
    CU_ASSERT_PTR_NULL(objective_find("") ? objective_find("") : objective_find("no objective"));
    for (uint32_t i = 0; i < OBJECTIVE_COUNT; i++) {
        const struct objective *row = objective_rows[i];
        char text[64];
        CU_ASSERT_PTR_EQUAL(objective_find(row->name), row);
        CU_ASSERT_EQUAL(objective_number(row), i);
        CU_ASSERT(*row->name && *row->unit && *row->expected && row->least > 0 && row->most > row->least);
        CU_ASSERT(*objective_columns(row)->value && *objective_columns(row)->low && *objective_columns(row)->high &&
                  *objective_columns(row)->default_value);
        CU_ASSERT(row->units[0].name && row->units[0].size > 0);
        CU_ASSERT_PTR_EQUAL(row->print(text, sizeof text, 1), text);
        CU_ASSERT_NOT_EQUAL(*text, '\0');
        for (uint32_t j = 0; j < i; j++)
            CU_ASSERT_STRING_NOT_EQUAL(objective_columns(row)->value, objective_columns(objective_rows[j])->value);
    }
}

/* Names in files must never change, so that old files stay readable. */
static void names_of_time(void)
{
    char text[64];
    CU_ASSERT_STRING_EQUAL(objective_row_time.name, "time");
    CU_ASSERT_STRING_EQUAL(objective_row_time.unit, "ns");
    CU_ASSERT_STRING_EQUAL(objective_columns(&objective_row_time)->value, "time_ns");
    CU_ASSERT_STRING_EQUAL(objective_columns(&objective_row_time)->low, "low_ns");
    CU_ASSERT_STRING_EQUAL(objective_columns(&objective_row_time)->high, "high_ns");
    CU_ASSERT_STRING_EQUAL(objective_columns(&objective_row_time)->default_value, "default_time_ns");
    CU_ASSERT(!objective_row_time.higher_is_better);
    CU_ASSERT_STRING_EQUAL(objective_row_time.print(text, sizeof text, 44712), "44.71 us");
}

CU_TestInfo tests_objective[] = {{"which is better", which_is_better},
                                 {"costs and ends", costs_and_ends},
                                 {"rates of durations", rates_of_durations},
                                 {"values of time", values_of_time},
                                 {"rows of the list", rows_of_the_list},
                                 {"names of time", names_of_time},
                                 {"aims", aims},
                                 CU_TEST_INFO_NULL};
