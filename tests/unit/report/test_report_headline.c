#include "report/report_unit.h"

#include <math.h>

#include "journal.h"

#define COLUMNS "T,status,time_ns,low_ns,high_ns\n"
#define BOTH    COLUMNS "1,ok,20000,19900,20100\n2,ok,10000,9950,10060\n"
#define DEFAULT "# default = T=1\n"
#define LIMIT   "# bytes = 9400\n# copy_ceiling = 1000000000\n"
#define HOSTILE "# default = T=<b>\n"

static void put(struct report *report, const struct findings *findings)
{
    report_headline(report, findings, 0);
}

/* The sentence has the data of the journal, and no more. */
static void sentences(void)
{
    static const struct said cases[] = {
        {DEFAULT, BOTH, "<b>2.00 times faster</b>: <span class=\"n\">10.00 µs &plusmn; 0.06</span></p>", true},
        {DEFAULT LIMIT, BOTH, "</span>, 94% of the copy limit</p>", true},
        {DEFAULT "# bytes = 9400\n# copy_ceiling = 1000000000\n# limit_ns = 500\n", BOTH,
         ", 5.0% of the link limit</p>", true},
        {DEFAULT, BOTH, "limit", false},
        {DEFAULT, BOTH, "<p class=\"configurations\">Best: <code>T=2</code>. Default: <code>T=1</code>, 20.00 µs.</p>",
         true},
        {"", BOTH, "<p class=\"headline\"><span class=\"n\">10.00 µs", true},
        {"", BOTH, "faster", false},
        {"", BOTH, "Default", false},
        {"# default = T=2\n", BOTH, "<b>The default is the best</b>: <span class=\"n\">10.00", true},
        {"# default = T=2\n", BOTH, "Default:", false},
        {DEFAULT, COLUMNS "1,ok,10040,,\n2,ok,10000,,\n",
         "<b>Not faster than the default</b>: <span class=\"n\">10.00 µs</span></p>", true},
        {DEFAULT, COLUMNS "1,ok,10060,,\n2,ok,10000,,\n", "<b>1.01 times faster</b>", true},
        {DEFAULT, COLUMNS "1,ok,20000,,\n2,ok,10000,,\n", "plusmn", false},
        {DEFAULT, COLUMNS "1,compile_error,,,\n", "<b>No configuration has a time.</b>", true},
        {HOSTILE, COLUMNS "<b>,ok,20000,,\n2,ok,10000,,\n", "Default: <code>T=&lt;b&gt;</code>", true},
    };
    expect_said(cases, sizeof cases / sizeof *cases, 1, put);
}

/* Half of an interval that is not 0 does not read 0. */
static void halves(void)
{
    static const struct {
        double low, high;
        const char *half;
    } cases[] = {
        {99, 101, "1.00"}, {99.9, 100.1, "0.10"}, {99.999, 100.001, "0.001"}, {100, 100, "0.00"}, {NAN, NAN, "–"}};
    struct report_unit unit = {&objective_row_time, "ns", 1, 2};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buffer[REPORT_NUMBER_BYTES];
        const struct measurement measurement = {.value = 100, .low = cases[i].low, .high = cases[i].high};
        CU_ASSERT_STRING_EQUAL(report_half(&unit, &measurement, buffer), cases[i].half);
    }
}

static void put_limit(struct report *report, const struct findings *findings)
{
    report_limit(report, findings, 0);
}

/* The meaning of the limit, or the reason why it is unknown. */
static void limits(void)
{
    static const struct said cases[] = {
        {LIMIT, BOTH,
         "Limit: 9.400 µs, the time to move the kernel&rsquo;s 9.180 KiB at the copy ceiling of this device, 1.000 "
         "GB/s",
         true},
        {LIMIT "# limit_ns = 500\n", BOTH, "Limit: 500.0 ns, the time of the transfers alone over the link", true},
        {"", BOTH, "unknown: the run does not record how many bytes", true},
        {"# bytes = 9400\n", BOTH, "unknown: the run does not record the speed of a copy", true},
    };
    expect_said(cases, sizeof cases / sizeof *cases, 1, put_limit);
}

/* The most important parameters, of a run with enough configurations: T causes nearly all of the time, V nothing. */
static void causes(void)
{
    static const struct {
        const char *header, *part;
        bool there;
    } cases[] = {{"# default = T=9 V=0\n", "; mostly T</p>", true},
                 {"", "; depends mostly on T</p>", true},
                 {"# default = T=0 V=1\n", "mostly", false}}; /* the best has the same T */
    struct text rows = {0};
    text_printf(&rows, "T,V,status,time_ns\n");
    for (int t = 0; t < 10; t++)
        for (int v = 0; v < 4; v++)
            text_printf(&rows, "%d,%d,ok,%d\n", t, v, 10000 + 5000 * t + 100 * v);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct compared compared;
        struct page page;
        open_journal(&compared, cases[i].header, 2, text_string(&rows));
        page_begin(&page);
        report_headline(&page.report, &compared.findings[0], 0);
        page_end(&page);
        expect_part(&page.text, cases[i].part, cases[i].there);
        page_free(&page);
        compared_close(&compared);
    }
    text_free(&rows);
}

CU_TestInfo tests_report_headline[] = {{"sentences", sentences},
                                       {"half of an interval", halves},
                                       {"what the limit is", limits},
                                       {"what made it faster", causes},
                                       CU_TEST_INFO_NULL};
