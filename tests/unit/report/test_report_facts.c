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
        {"", NAMES "1,ok,10000,32,0.5,1980\n2,ok,20000,40,0.5,1980\n", "\"title\":\"Registers\"", true},
        {"", NAMES "1,ok,10000,32,0.5,1980\n2,ok,20000,40,0.5,1980\n", "\"title\":\"Occupancy\"", false},
        {"", NAMES "1,ok,10000,32,0.5,1980\n2,ok,20000,40,0.5,1980\n", "\"title\":\"Clock\"", false},
        {"", NAMES "1,ok,10000,32,0.5,1980\n2,ok,20000,40,0.5,1981\n",
         "<p>The clock of the multiprocessors was steady: 1980 to 1981 MHz.</p>", true},
        {"", NAMES "1,ok,10000,32,0.5,1500\n2,ok,20000,32,0.25,1980\n", "\"title\":\"Clock\"", true},
        {"", NAMES "1,ok,10000,32,0.5,1500\n2,ok,20000,32,0.25,1980\n", "steady", false},
        {"", NAMES "1,ok,10000,32,0.5,1500\n2,ok,20000,32,0.25,1980\n",
         "\"says\":\"At an occupancy of {x}%, the best takes {y} "
         "µs.\",\"data\":[{\"x\":25,\"y\":20},{\"x\":50,\"y\":10}]",
         true},
        {"", NAMES "1,ok,10000,32,0.5,1500\n2,ok,20000,32,0.25,1980\n", "\"scatter\":true", true},
        {"", NAMES "1,ok,10000,32,,\n2,ok,80000,40,,\n", "\"log\":true", false},
        {"", NAMES "1,ok,10000,32,,\n2,ok,80001,40,,\n", "\"log\":true", true},
        {"", NAMES "1,ok,10000,32,,\n2,ok,20000,40,,\n",
         "<th scope=\"row\" class=\"n\">40<td class=\"n\">20.00<td class=\"n\">20.00<td class=\"n\">1</tr>", true},
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
