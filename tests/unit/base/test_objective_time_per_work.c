#include "base/objective.h"

#include <math.h>

#include <CUnit/Basic.h>

/* The range suits any amount of work; values are durations in ns, shown in readable units, and exclude `time`. */
static void row(void)
{
    static const struct {
        double value;
        bool is_time;
    } values[] = {{1e-9 / WORK_MOST, true}, {1e18 / WORK_LEAST, true}, {0, false}, {-1, false}, {NAN, false},
                  {INFINITY, false}};
    static const struct {
        double ns;
        const char *text;
    } texts[] = {{2.5e-9, "2.500 as per work"}, {1e-6, "1.000 fs per work"},  {1.237e-3, "1.237 ps per work"},
                 {44.7, "44.70 ns per work"},   {44710, "44.71 us per work"}, {3e9, "3.000 s per work"}};
    const struct objective *objective = &objective_row_time_per_work;
    char buffer[32];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        CU_ASSERT_EQUAL(objective_is_value(objective, values[i].value), values[i].is_time);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CU_ASSERT_STRING_EQUAL(objective->print(buffer, sizeof buffer, texts[i].ns), texts[i].text);
    for (size_t i = 0; objective->units[i + 1].name; i++)
        CU_ASSERT_DOUBLE_EQUAL(objective->units[i + 1].size / objective->units[i].size, 1000, 1e-9);
    CU_ASSERT_TRUE(objective_better(objective, 5, 6));
    CU_ASSERT_TRUE(objective->per_work && !objective_row_time.per_work);
    CU_ASSERT_DOUBLE_EQUAL(objective_rate(objective, 8, 2), 4e9, 1);
    CU_ASSERT_PTR_EQUAL(objective_find("time_per_work"), objective);
    CU_ASSERT_STRING_EQUAL(objective_aim("time_per_work"), objective_aim("time"));
}

CU_TestInfo tests_objective_time_per_work[] = {{"the row", row}, CU_TEST_INFO_NULL};
