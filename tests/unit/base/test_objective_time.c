#include "base/objective.h"

#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

/* Times are positive, at most 1e18 ns, and less is better; they are durations in ns, shown in readable units. */
static void row(void)
{
    static const struct {
        double value;
        bool is_time;
    } values[] = {{1e-9, true}, {1, true},       {1e18, true}, {0, false},
                  {-1, false},  {1.1e18, false}, {NAN, false}, {INFINITY, false}};
    static const struct {
        const char *unit;
        double ns;
    } units[] = {{"ns", 1}, {"\xc2\xb5s", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    char buffer[32];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        CU_ASSERT_EQUAL(objective_is_value(&objective_row_time, values[i].value), values[i].is_time);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        CU_ASSERT_STRING_EQUAL(objective_row_time.units[i].name, units[i].unit);
        CU_ASSERT_EQUAL(objective_row_time.units[i].size, units[i].ns);
    }
    CU_ASSERT_PTR_NULL(objective_row_time.units[4].name);
    CU_ASSERT_TRUE(objective_better(&objective_row_time, 5, 6));
    CU_ASSERT_DOUBLE_EQUAL(objective_rate(&objective_row_time, 4000, 1000), 4e9, 1);
    CU_ASSERT_DOUBLE_EQUAL(objective_percent(&objective_row_time, 50, 200), 25, 1e-9);
    CU_ASSERT_STRING_EQUAL(objective_row_time.print(buffer, sizeof buffer, 44710), "44.71 us");
    CU_ASSERT_PTR_EQUAL(objective_find("time"), &objective_row_time);
}

CU_TestInfo tests_objective_time[] = {{"the row", row}, CU_TEST_INFO_NULL};
