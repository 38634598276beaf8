#include "page.h"

/* Each parameter and each pair of them has its part; of one configuration there is nothing to tell. */
static void parts(void)
{
    static const struct {
        const char *file, *part;
    } rows[] = {{DEVICE_A, "<h4>What the parameters do"},
                {DEVICE_A, "<h4>Pairs of parameters"},
                {DEVICE_A, "TILE"},
                {DEVICE_A, "VEC"},
                {DEVICE_A, "10.00"},
                {DEVICE_B, "<h4>What the parameters do"},
                {DEVICE_B, "20.00"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compared compared;
        struct page page;
        open_compared(&compared, &rows[i].file, 1);
        page_begin(&page);
        struct report_unit unit = report_unit(&objective_row_time, 10000);
        report_parameters(&page.report, &compared.findings[0], 0, &unit);
        page_end(&page);
        expect_part(&page.text, rows[i].part, true);
        page_free(&page);
        compared_close(&compared);
    }
}

CU_TestInfo tests_report_parameters[] = {{"parts", parts}, CU_TEST_INFO_NULL};
