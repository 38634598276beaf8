#include "report/report_unit.h"

#include <math.h>

#include <CUnit/Basic.h>

/* Times near the best have four figures. */
static void numbers(void)
{
    static const struct {
        double best_ns, time_ns;
        const char *unit, *time, *duration;
    } rows[] = {{133234, 133234, "µs", "133.2", "133.2 µs"},
                {9999, 10500, "µs", "10.500", "10.50 µs"},
                {1.5e9, 1.5e9, "s", "1.500", "1.500 s"},
                {25, 25, "ns", "25.00", "25.00 ns"},
                {2.5e6, 1e5, "ms", "0.100", "100.0 µs"},
                {5e12, 5e12, "s", "5000", "5000 s"},
                {1000, NAN, "µs", "–", "–"},
                {0.5, 0.5, "ns", "0.500", "0.500 ns"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char buffer[REPORT_NUMBER_BYTES];
        struct report_unit unit = report_unit(&objective_row_time, rows[i].best_ns);
        CU_ASSERT_STRING_EQUAL(unit.name, rows[i].unit);
        CU_ASSERT_STRING_EQUAL(report_value(&unit, rows[i].time_ns, buffer), rows[i].time);
        CU_ASSERT_STRING_EQUAL(report_with_unit(&objective_row_time, rows[i].time_ns, buffer), rows[i].duration);
    }
    char buffer[REPORT_NUMBER_BYTES];
    CU_ASSERT_STRING_EQUAL(report_number(2.345, 2, buffer), "2.35");
    CU_ASSERT_STRING_EQUAL(report_number(INFINITY, 2, buffer), "–");
}

CU_TestInfo tests_report_unit[] = {{"numbers", numbers}, CU_TEST_INFO_NULL};
