#include "journal.h"

/* Each parameter and each pair of them has its part; a single configuration has none. */
static void parts(void)
{
    static const struct {
        const char *file, *part;
    } rows[] = {{DEVICE_A, "What the parameters do"},
                {DEVICE_A, "<h4>Pairs of parameters"},
                {DEVICE_A, "TILE"},
                {DEVICE_A, "VEC"},
                {DEVICE_A, "\n32,10,12.5,3,0\n"},
                {DEVICE_B, "What the parameters do"},
                {DEVICE_B, "\n64,20,22.5,2,0\n"}};
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

static void put(struct report *report, const struct findings *findings)
{
    struct report_unit unit = report_unit(findings->comparison->objective, 10000);
    report_parameters(report, findings, 0, &unit);
}

/* Lines for three numbers or more, bars for switches; a legend, and hatched cells without a time. */
static void shapes(void)
{
    static const struct said cases[] = {
        {"", "T,V,status,time_ns\n1,1,ok,10\n2,2,ok,20\n3,1,ok,30\n", "<figure class=\"parameter-T\"><figcaption>T<",
         true},
        {"", "T,V,status,time_ns\n1,1,ok,10\n2,2,ok,20\n3,1,ok,30\n", "stroke-linecap=\"round\"", true},
        {"", "T,V,status,time_ns\n1,1,ok,10\n2,2,ok,20\n", "stroke-linecap=\"round\"", false},
        {"", "T,V,status,time_ns\na,1,ok,10\nb,2,ok,20\nc,1,ok,30\n", "stroke-linecap=\"round\"", false},
        {"", "T,V,status,time_ns\n1,1,ok,10\n2,2,ok,2000\n3,1,ok,30\n", ">0.01</text>", true}, /* logarithmic */
        {"", "T,V,status,time_ns\na,1,ok,10\nb,2,ok,2000\n", ">0.01</text>", false},           /* a bar begins at 0 */
        {"", "T,V,status,time_ns\n1,1,ok,10\n2,2,ok,20\n", "data-says=\"With {title}={x}, the best takes {y} µs.|",
         true},
        {"", "T,V,status,time_ns\n1,1,ok,10\n2,2,ok,20\n", "<pre>V,1,2\n1,1,\n2,,2\n</pre>", true},
        {"", "T,V,status,time_ns\n1,1,ok,10\n2,2,ok,20\n", "2.00 times the best; hatched: no time<", true},
        {"", "T,V,status,time_ns\n1,1,ok,10\n2,2,ok,20\n1,2,ok,10\n2,1,ok,10\n", "hatched: no time<", false},
        {"", "T,V,status,time_ns\n1,1,ok,100\n2,2,ok,100\n", "1.10 times the best", true},
    };
    expect_said(cases, sizeof cases / sizeof *cases, 2, put);
}

CU_TestInfo tests_report_parameters[] = {{"parts", parts}, {"shapes", shapes}, CU_TEST_INFO_NULL};
