/* Whole pages: tests/cli/cases/report.case, report_text.case and, in a browser, tests/report/browser.py. */
#include "report/report.h"

#include <math.h>

#include "page.h"

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

/* A page is whole and the same every time; what runs have in common is there only when there are several. */
static void pages(void)
{
    static const char *const files[] = {DEVICE_A, DEVICE_B};
    for (size_t count = 1; count <= 2; count++) {
        struct text pages[2] = {{0}, {0}};
        struct error error = {0};
        for (int i = 0; i < 2; i++) {
            struct compared compared;
            open_compared(&compared, files, count);
            CU_ASSERT_EQUAL(report_page(compared.findings, 1, 3, &pages[i], &error), 0);
            compared_close(&compared);
        }
        CU_ASSERT_STRING_EQUAL(text_string(&pages[0]), text_string(&pages[1]));
        CU_ASSERT_EQUAL(strncmp(text_string(&pages[0]), "<!DOCTYPE html>", 15), 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&pages[0]), "</html>"));
        CU_ASSERT_EQUAL(strstr(text_string(&pages[0]), "<h3>Portability") != NULL, count == 2);
        CU_ASSERT_EQUAL(strstr(text_string(&pages[0]), "<h3>Winners side by side") != NULL, count == 2);
        text_free(&pages[0]);
        text_free(&pages[1]);
    }
}

CU_TestInfo tests_report[] = {{"numbers", numbers}, {"pages", pages}, CU_TEST_INFO_NULL};
