#include "page.h"

/* The sections of a run, by what is known of it. */
static void sections(void)
{
    static const struct {
        const char *file, *part;
        bool there;
    } rows[] = {{DEVICE_A, "<h4>Best configurations", true},
                {DEVICE_A, "<h4>What became of the configurations", true},
                {DEVICE_A, "<code>compile_error</code>", true},
                {DEVICE_A, "&lt;b&gt;64&lt;/b&gt;", true}, /* a message is no markup */
                {DEVICE_A, "<b>64</b>", false},
                {DEVICE_A, "10.00", true},
                {DEVICE_A, "proposed by", false}, /* nobody knows */
                {DEVICE_A, "run began with", false},
                {DEVICE_B, "compile_error", false},
                {DEVICE_B, "20.00", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compared compared;
        struct page page;
        open_compared(&compared, &rows[i].file, 1);
        page_begin(&page);
        report_run(&page.report, &compared.findings[0], 0, 0);
        page_end(&page);
        expect_part(&page.text, rows[i].part, rows[i].there);
        page_free(&page);
        compared_close(&compared);
    }
}

/* The table of the best has as many rows as were asked for, if there are so many. */
static void the_best(void)
{
    static const struct {
        size_t top, rows;
    } cases[] = {{1, 1}, {3, 3}, {100, 6}};
    static const char *const file = DEVICE_A;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct compared compared;
        struct page page;
        size_t rows = 0;
        open_compared(&compared, &file, 1);
        page_begin(&page);
        page.report.top = cases[i].top;
        report_run(&page.report, &compared.findings[0], 0, 0);
        const char *at = strstr(text_string(&page.text), "<h4>Best configurations");
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
        const char *end = strstr(at, "</tbody>");
        CU_ASSERT_PTR_NOT_NULL_FATAL(end);
        for (at = strstr(at, "<tbody>"); (at = strstr(at, "<tr")) && at < end; at++)
            rows++;
        CU_ASSERT_EQUAL(rows, cases[i].rows);
        page_free(&page);
        compared_close(&compared);
    }
}

CU_TestInfo tests_report_run[] = {{"sections", sections}, {"the best", the_best}, CU_TEST_INFO_NULL};
