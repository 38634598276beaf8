#include <math.h>

#include "page.h"
#include "report/chart_scale.h"

/* All rows and columns of a chart as CSV: numbers with seven digits, texts quoted where needed, no formulas. */
static void numbers(void)
{
    struct chart chart;
    struct text csv = {0};
    chart_begin(&chart, "A <title>", "", "");
    chart_name_rows(&chart, "size, n");
    size_t drawn = chart_column(&chart, "time (µs)", CHART_LINE, 0, "");
    size_t listed = chart_column(&chart, "by", CHART_LISTED, 0, "");
    for (size_t row = 0; row < 20; row++)
        chart_row_at(&chart, (double)row);
    chart_row_at(&chart, 1e10);
    chart_number(&chart, drawn, 1.0 / 3);
    chart_text(&chart, listed, "a \"b\"\n");
    chart_row_at(&chart, 2);
    chart_number(&chart, drawn, NAN);
    chart_text(&chart, listed, "=1+1");
    chart_csv(&chart, &csv);
    static const char end[] = "\n19,,\n1e+10,0.3333333,\"a \"\"b\"\"\n\"\n2,,\"'=1+1\"\n";
    CU_ASSERT_FALSE(chart.failed || csv.failed);
    CU_ASSERT_EQUAL(strncmp(text_string(&csv), "\"size, n\",time (µs),by\n0,,\n", 27), 0);
    CU_ASSERT_STRING_EQUAL(text_string(&csv) + csv.length - strlen(end), end);
    text_free(&csv);
    chart_free(&chart);
}

/* The ticks of a scale, which contain its numbers. */
static void scales(void)
{
    static const struct {
        double low, high;
        bool log;
        size_t most;
        const char *ticks;
    } cases[] = {
        {0, 10, false, 6, "0 2 4 6 8 10"},
        {0, 1, false, 3, "0 0.5 1"},
        {0.1, 0.3, false, 6, "0.1 0.15 0.2 0.25 0.3"},
        {-3, 3, false, 6, "-4 -2 0 2 4"},
        {999, 1001, false, 6, "999 999.5 1000 1000.5 1001"},
        {5, 5, false, 6, "4.5 5 5.5"},
        {0, 0, false, 6, "-1 -0.5 0 0.5 1"},
        {INFINITY, -INFINITY, false, 6, "0 0.2 0.4 0.6 0.8 1"},
        {1, 1000, true, 4, "1 10 100 1000"},
        {3, 40, true, 6, "2 5 10 20 50"},
        {1, 2, true, 6, "1 2"},
        {1e-3, 1e9, true, 6, "0.001 1 1000 1e6 1e9"},
        {0, 10, true, 6, "0 2 4 6 8 10"}, /* no logarithm */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct chart_scale scale = chart_scale(cases[i].low, cases[i].high, cases[i].log, cases[i].most);
        struct text ticks = {0};
        char tick[CHART_TICK_BYTES];
        for (size_t t = 0; t < scale.count; t++)
            text_printf(&ticks, "%s%s", t ? " " : "", chart_tick(scale.ticks[t], tick));
        CU_ASSERT_STRING_EQUAL(text_string(&ticks), cases[i].ticks);
        if (strcmp(text_string(&ticks), cases[i].ticks) != 0)
            printf("%zu: %s\n", i, text_string(&ticks));
        CU_ASSERT_DOUBLE_EQUAL(chart_scale_at(&scale, scale.low), 0, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(chart_scale_at(&scale, scale.high), 1, 1e-12);
        text_free(&ticks);
    }
}

/* A drawing has what its chart has, and nothing that is not a number. */
static void drawings(void)
{
    static const struct {
        enum chart_form form;
        bool horizontal, stacked, log, scale;
        double first, second;
        const char *part;
    } cases[] = {
        {CHART_LINE, false, false, false, true, 1, 2, "<path stroke-width=\"1.2\" d=\"M"},
        {CHART_DASHES, false, false, false, true, 1, 2, "stroke-dasharray"},
        {CHART_STEPS, false, false, false, true, 1, 2, "stroke-linecap=\"round\""},
        {CHART_POINTS, false, false, true, false, 1, 2, "stroke-linecap=\"round\""},
        {CHART_MARKS, false, false, true, true, 1, 1e300, "<path stroke-width=\"4.5\""},
        {CHART_MARKS, false, false, true, true, 0, 0, "<path stroke-width=\"4.5\""},
        {CHART_BARS, true, false, false, false, 1, 2, "fill=\"#0072b2\"><path d=\"M"},
        {CHART_BARS, false, true, false, false, 0, 0, "fill=\"#0072b2\"><path d=\"\""},
        {CHART_CELLS, false, false, false, false, 1, NAN, "1.10 times the best; hatched: no time"},
        {CHART_CELLS, false, false, false, false, NAN, NAN, "hatched"},
        {CHART_LINE, false, false, false, true, NAN, NAN, "<svg class=\"chart\" xmlns="},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t rows = 0; rows <= 40; rows += 20) {
            struct chart chart;
            struct text svg = {0};
            chart_begin(&chart, "A <title>", "x & y", "y < z");
            const size_t one = chart_column(&chart, "first <one>", cases[i].form, 0, "");
            const size_t two = chart_column(&chart, "second", cases[i].form, 1, "");
            chart.horizontal = cases[i].horizontal;
            chart.stacked = cases[i].stacked;
            chart.log = cases[i].log;
            chart.worst = 1.1;
            for (size_t r = 0; r < rows; r++) {
                if (cases[i].scale)
                    chart_row_at(&chart, (double)r);
                else
                    chart_row(&chart, r ? "a label that is longer than its room, <b>" : "µ");
                chart_number(&chart, one, cases[i].first);
                chart_number(&chart, two, cases[i].second);
            }
            chart_svg(&chart, &svg);
            CU_ASSERT_FALSE(chart.failed || svg.failed);
            if (rows)
                expect_part(&svg, cases[i].part, true);
            static const char *const absent[] = {"nan", "inf", "<title>", "<one>", "<b>", "& "};
            for (size_t a = 0; a < sizeof absent / sizeof *absent; a++)
                expect_part(&svg, absent[a], false);
            text_free(&svg);
            chart_free(&chart);
        }
}

/* A figure is a chart with its numbers; the wanted figures are the same drawings, with names of their own. */
static void figures(void)
{
    struct page page;
    struct figures figures = {0};
    page_begin(&page);
    page.report.figures = &figures;
    figures_begin(&page.report, "kernel.device");
    for (int i = 0; i < 2; i++) {
        struct chart *chart = figure_begin(&page.report, "a/b", "A <title>", "x", "y");
        chart_row(chart, "<one>");
        chart_number(chart, chart_column(chart, "s", CHART_BARS, 0, "{x} is \"{y}\"."), 1);
        figure_draw(&page.report);
        figure_end(&page.report);
    }
    page_end(&page);
    static const char *const parts[] = {
        "<figure class=\"a-b\"><figcaption>A &lt;title&gt;</figcaption><svg",
        "<details class=\"numbers\" data-says=\"{x} is &quot;{y}&quot;.\"><summary>Numbers</summary><pre>,s\n"
        "&lt;one&gt;,1\n</pre></details></figure>\n"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        expect_part(&page.text, parts[i], true);
    CU_ASSERT_EQUAL_FATAL(figures.count, 2);
    CU_ASSERT_STRING_EQUAL(figures.items[0].name, "kernel.device.a-b");
    CU_ASSERT_STRING_EQUAL(figures.items[1].name, "kernel.device.a-b-2");
    CU_ASSERT_STRING_EQUAL(text_string(&figures.items[0].csv), ",s\n<one>,1\n");
    expect_part(&page.text, text_string(&figures.items[0].svg), true);
    page_free(&page);
    figures_free(&figures);
}

CU_TestInfo tests_report_chart[] = {
    {"numbers", numbers}, {"scales", scales}, {"drawings", drawings}, {"figures", figures}, CU_TEST_INFO_NULL};
