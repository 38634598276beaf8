#include "journal.h"

#define NAMES "T,status,time_ns,registers,occupancy,clock_mhz\n"

static void put(struct report *report, const struct findings *findings)
{
    struct report_unit unit = report_unit(findings->comparison->objective, 10000);
    report_facts(report, findings, 0, &unit);
}

/* A chart for each recorded fact that varies. */
static void charts(void)
{
    static const struct said cases[] = {
        {"", NAMES "1,ok,10000,32,0.5,1980\n2,ok,20000,40,0.5,1980\n", "<figcaption>Registers<", true},
        {"", NAMES "1,ok,10000,32,0.5,1980\n2,ok,20000,40,0.5,1980\n", "<figcaption>Occupancy<", false},
        {"", NAMES "1,ok,10000,32,0.5,1980\n2,ok,20000,40,0.5,1980\n", "<figcaption>Clock<", false},
        {"", NAMES "1,ok,10000,32,0.5,1980\n2,ok,20000,40,0.5,1981\n",
         "<p class=\"detail\">The clock of the multiprocessors was steady: 1980 to 1981 MHz.</p>", true},
        {"", NAMES "1,ok,10000,32,0.5,1500\n2,ok,20000,32,0.25,1980\n", "<figcaption>Clock<", true},
        {"", NAMES "1,ok,10000,32,0.5,1500\n2,ok,20000,32,0.25,1980\n", "steady", false},
        {"", NAMES "1,ok,10000,32,0.5,1500\n2,ok,20000,32,0.25,1980\n",
         "data-says=\"At an occupancy of {x}%, the best takes {y} µs.|At an occupancy of {x}%, the median takes {y} "
         "µs.\"",
         true},
        {"", NAMES "1,ok,10000,32,0.5,1500\n2,ok,20000,32,0.25,1980\n",
         "<pre>occupancy (%),best (µs),median (µs),from,to,configurations\n25,20,20,25,25,1\n50,10,10,50,50,1\n</pre>",
         true},
        {"", NAMES "1,ok,10000,32,,\n2,ok,80000,40,,\n", ">80</text>", true},  /* linear: 0, 20, 40, ... */
        {"", NAMES "1,ok,10000,32,,\n2,ok,80001,40,,\n", ">80</text>", false}, /* logarithmic: 10, 20, 50, 100 */
    };
    expect_said(cases, sizeof cases / sizeof *cases, 1, put);
}

/* A run that records none of them has no such part. */
static void nothing(void)
{
    struct compared compared;
    struct page page;
    open_journal(&compared, "", 1, "T,status,time_ns\n1,ok,10\n2,ok,20\n");
    page_begin(&page);
    put(&page.report, &compared.findings[0]);
    CU_ASSERT_EQUAL(page.text.length, 0);
    page_free(&page);
    compared_close(&compared);
}

CU_TestInfo tests_report_facts[] = {{"charts", charts}, {"nothing", nothing}, CU_TEST_INFO_NULL};
