#include "journal.h"

/* Sections of a run, by available data. */
static void sections(void)
{
    static const struct {
        const char *file, *part;
        bool there;
    } rows[] = {{DEVICE_A, "<h4>Best configurations", true},
                {DEVICE_A, "<h4>What became of the configurations", true},
                {DEVICE_A, "<code>compile_error</code>", true},
                {DEVICE_A, "&lt;b&gt;64&lt;/b&gt;", true}, /* a message is escaped */
                {DEVICE_A, "<b>64</b>", false},
                {DEVICE_A, "10.00", true},
                {DEVICE_A, "proposed by", false}, /* unknown */
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

/* The table of the best has the requested number of rows, if there are so many. */
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

static void put(struct report *report, const struct findings *findings)
{
    report_run(report, findings, 0, 1);
}

#define PLAYED                                                                                                         \
    "T,status,time_ns,low_ns,high_ns,playoff\n1,ok,100,99,101,\n2,ok,100.5,100,101,\n3,ok,200,199,201,\n4,ok,210,209," \
    "211,\n"

/* An import is unordered and has no convergence; the limit is defined beside the bars. */
static void what_was_there(void)
{
    static const struct said cases[] = {
        {"# options = cache=cold\n", "T,status,time_ns\n1,ok,10\n2,ok,20\n", "Convergence", true},
        {"", "T,status,time_ns\n1,ok,10\n2,ok,20\n", "Convergence", false},
        {"", "T,status,time_ns\n1,ok,10\n2,ok,20\n", "Distribution", true},
        {"", "T,status,time_ns\n1,ok,10\n2,ok,20\n", "<p><small>The limit is unknown", true},
        {"", "T,status,time_ns\n1,ok,10\n2,ok,20\n", "data-says=\"The {x} is {y} ns.\"", true},
        {"", "T,status,time_ns\n1,ok,10\n2,ok,20\n", ",20.00\n</pre>", true}, /* the last bar's end */
        {"# bytes = 5\n# copy_ceiling = 1000000000\n", "T,status,time_ns\n1,ok,10\n2,ok,20\n",
         "<p><small>Limit: 5.000 ns", true},
        /* the search, and the play-off that decides */
        {"# options = cache=cold\n", PLAYED "1,ok,101.5,101,102,lost\n2,ok,100.4,100,101,leader\n",
         "1,100,,0\n4,100,100.4,\n</pre>", true},
        {"# options = cache=cold\n", PLAYED "1,ok,101,100,102,lost\n2,ok,100.4,100,101,leader\n", "The play-off",
         false},
        {"# options = cache=cold\n", PLAYED "1,ok,120,119,121,lost\n2,ok,110,109,111,leader\n",
         "The fastest of the search is <code>T=1</code>, 100.0 ns. The play-off measured the finalists again, by "
         "turns: "
         "the winner takes 110.0 ns, and this configuration 120.0 ns.",
         true},
        /* messages without folders */
        {"", "T,status,time_ns,message\n1,compile_error,,\"/opt/my-code/k.cu(3): error: a / b // /tmp/x\"\n2,ok,20,\n",
         "<li>1&times; k.cu(3): error: a / b // x<br>", true},
        {"# created = <u>\n", "T,status,time_ns\n1,ok,10\n2,ok,20\n", ", recorded &lt;u&gt;</p>", true},
    };
    expect_said(cases, sizeof cases / sizeof *cases, 1, put);
}

/* A row of a database has no distribution. */
static void a_database(void)
{
    static const char *const file = TEST_FOLDER "/unit/formats/database-1.csv";
    struct compared compared = {0};
    struct page page;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(compared_load(&compared, &file, 1, "transpose", &error), 0);
    CU_ASSERT_EQUAL_FATAL(compared_find(&compared, 10, 0.01, &error), 0);
    page_begin(&page);
    report_run(&page.report, &compared.findings[0], 0, 1);
    page_end(&page);
    static const char *const absent[] = {"Distribution", "Convergence", "Traffic of all", "What became"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        expect_part(&page.text, absent[i], false);
    expect_part(&page.text, "<b>1.50 times faster</b>", true);
    expect_part(&page.text, "<h4>Best configurations", true);
    page_free(&page);
    compared_close(&compared);
}

CU_TestInfo tests_report_run[] = {{"sections", sections},
                                  {"what was there", what_was_there},
                                  {"a database", a_database},
                                  {"the best", the_best},
                                  CU_TEST_INFO_NULL};
