#include <math.h>

#include "page.h"

/* A chart is a figure of the page, with its own name, and an object for the script that draws it. */
static void charts(void)
{
    struct page page;
    page_begin(&page);
    cJSON *chart = chart_begin(&page.report, "bar", "A <title>", "x", "y");
    chart_flag(chart, "log");
    chart_labels(chart, "one");
    chart_colour(chart, 3);
    cJSON *series = chart_series(chart, "s", -1, "dash", "{x} is {y}.");
    chart_value(series, 1.0 / 3);
    chart_value(series, NAN);
    chart_point(series, 1e10, 12345678901.0);
    chart_numbers_begin(&page.report);
    chart_end(&page.report);
    chart_begin(&page.report, "line", "next", "", "");
    page_end(&page);
    static const char *const parts[] = {
        "<figure><figcaption>A &lt;title&gt;</figcaption>",
        "<canvas id=\"chart-1\"",
        "<canvas id=\"chart-2\"",
        "<details class=\"numbers\" open>",
        "</div></details></figure>\n",
        "{\"id\":\"chart-1\",\"type\":\"bar\",\"title\":\"A "
        "<title>\",\"x\":\"x\",\"y\":\"y\",\"labels\":[\"one\"],\"colours\":[3],\"series\":["
        "{\"name\":\"s\",\"colour\":-1,\"style\":\"dash\",\"says\":\"{x} is {y}.\","
        "\"data\":[0.3333333,null,{\"x\":1e+10,\"y\":1.234568e+10}]}],\"log\":true}"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        expect_part(&page.text, parts[i], true);
    page_free(&page);
}

CU_TestInfo tests_report_chart[] = {{"charts", charts}, CU_TEST_INFO_NULL};
