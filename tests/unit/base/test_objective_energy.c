#include "base/objective.h"

#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

/* Objectives other than time: less is better, a value is positive and no duration, and people read its unit. */
static void rows(void)
{
    static const struct {
        const struct objective *row;
        const char *name, *aim, *unit, *column;
        double value; /* in the unit */
        const char *text;
    } cases[] = {
        {&objective_row_energy, "energy", "energy", "J", "energy_j", 0.01234, "12.34 mJ"},
        {&objective_row_energy, "energy", "energy", "J", "energy_j", 2.5e-6, "2.500 uJ"},
        {&objective_row_energy, "energy", "energy", "J", "energy_j", 1500, "1.500 kJ"},
        {&objective_row_energy_per_work, "energy_per_work", "energy", "J", "energy_per_work_j", 2e-12,
         "2.000 pJ per work"},
        {&objective_row_power, "power", "power", "W", "mean_power_w", 412.5, "412.5 W"},
        {&objective_row_energy_delay, "energy_delay", "energy_delay", "J s", "energy_delay_js", 3e-5, "30.00 uJ s"},
    };
    char text[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct objective *row = cases[i].row;
        CU_ASSERT_STRING_EQUAL(row->name, cases[i].name);
        CU_ASSERT_STRING_EQUAL(objective_aim(row->name), cases[i].aim);
        CU_ASSERT_STRING_EQUAL(row->unit, cases[i].unit);
        CU_ASSERT_STRING_EQUAL(objective_columns(row)->value, cases[i].column);
        CU_ASSERT_STRING_EQUAL(row->print(text, sizeof text, cases[i].value), cases[i].text);
        CU_ASSERT(objective_is_value(row, cases[i].value));
        CU_ASSERT(!objective_is_value(row, 0) && !objective_is_value(row, -1) && !objective_is_value(row, NAN));
        CU_ASSERT(objective_better(row, 1, 2));
        CU_ASSERT(isnan(objective_rate(row, 1, 1)));
    }
}

CU_TestInfo tests_objective_energy[] = {{"the rows", rows}, CU_TEST_INFO_NULL};
