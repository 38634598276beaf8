#include "journal.h"

#define NAMES      "T,V,W,status,time_ns,low_ns,high_ns,registers,shared_bytes,playoff\n"
#define OF_KERNELS "T,V,W,status,time_ns,registers,kernel\n"
#define TIE                                                                                                            \
    NAMES                                                                                                              \
    "1,2,x,ok,20000,19900,20100,32,0,lost\n2,2,x,ok,10000,9950,10050,32,0,leader\n"                                    \
    "3,2,x,ok,10010,9960,10060,32,0,tied\n4,2,x,ok,10020,9970,10070,24,0,tied\n5,2,x,ok,15000,14900,15100,32,0,\n6,2," \
    "x,ok,10100,10080,10120,32,0,lost\n"

static void put(struct report *report, const struct findings *findings)
{
    const struct comparison *comparison = findings->comparison;
    struct report_unit unit = report_unit(comparison->objective, 10000);
    report->top = 10;
    report_top(report, findings, 0, &unit);
}

static void parts(void)
{
    static const struct said cases[] = {
        /* time, interval and factor first, then the standing, then the differing facts */
        {"# default = T=1 V=2 W=x\n", TIE,
         "<thead><tr><th scope=\"col\">#<th scope=\"col\">time, µs<th scope=\"col\">±, µs<th scope=\"col\">× "
         "default<th "
         "scope=\"col\" class=\"t\">standing<th scope=\"col\" data-parameter>T<th scope=\"col\">over best, %<th "
         "scope=\"col\">registers</tr>",
         true},
        {"# default = T=1 V=2 W=x\n", TIE, "<table class=\"top sortable keep3\">", true},
        {"", TIE, "<table class=\"top sortable keep2\">", true},
        /* constant facts are in the caption */
        {"", TIE,
         "<caption><div>The same in all rows: <code data-constant>V=2</code>, <code data-constant>W=x</code>, 0 B of "
         "shared memory.</div></caption>",
         true},
        {"", NAMES "1,2,x,ok,10,,,32,0,\n", "<caption>", false},
        /* the cheapest of the tie is the winner, and the first */
        {"", TIE, "<tr class=\"winner\"><td>1<td>10.02<td>0.05<td class=\"t\">winner<td>4", true},
        {"", TIE, "<tr class=\"tied\"><td>2<td>10.00<td>0.05<td class=\"t\">tied<td>2", true},
        {"", TIE, "<tr><td>4<td>10.10", true},
        {"# default = T=1 V=2 W=x\n", TIE,
         "<tr class=\"default\"><td>6<td>20.00<td>0.10<td>1.00<td class=\"t\">default<td", true},
        {"# default = T=4 V=2 W=x\n", TIE, "<tr class=\"winner default\">", true},
        {"# default = T=4 V=2 W=x\n", TIE, "<td class=\"t\">winner, default<td", true},
        {"", TIE, "× default", false},
        /* the rule */
        {"", TIE, "<p>Winner: of the 4 finalists of the play-off, 3 are tied:", true},
        {"", NAMES "1,2,x,ok,10100,10080,10120,32,0,lost\n2,2,x,ok,10000,9950,10050,32,0,leader\n",
         "of the 2 finalists of the play-off, all others are measurably slower", true},
        {"", NAMES "1,2,x,ok,20000,19900,20100,32,0,leader\n", "had no other finalist", true},
        {"", NAMES "1,2,x,ok,20000,,,32,0,\n", "No play-off decided", true},
        {"", NAMES "1,2,x,ok,20000,,,32,0,\n", "±", false},
        {"", NAMES "1,2,x,compile_error,,,,,,\n", "Best configurations", false},
        /* an example of a search finds something */
        {"", TIE, "placeholder=\"e.g. T=4\"", true},
        {"", NAMES "1,2,<u>,ok,20000,,,32,0,\n1,2,<s>,ok,30000,,,32,0,\n", "placeholder=\"e.g. W=&lt;u&gt;\"", true},
        {"", NAMES "1,2,<u>,ok,20000,,,32,0,\n1,3,<u>,ok,30000,,,32,0,\n", "<code data-constant>W=&lt;u&gt;</code>",
         true},
        /* of several kernels, the one that the figures from registers to occupancy belong to */
        {"", OF_KERNELS "1,2,x,ok,20000,32,big\n2,2,x,ok,30000,16,small\n",
         "<th scope=\"col\" class=\"t\">of the kernel</tr>", true},
        {"", OF_KERNELS "1,2,x,ok,20000,32,big\n2,2,x,ok,30000,16,small\n", "<td>16<td class=\"t\">small\n", true},
        {"", OF_KERNELS "1,2,x,ok,20000,32,big\n2,2,x,ok,30000,16,\n", "<td>16<td class=\"t\">\n", true},
        {"", OF_KERNELS "1,2,x,ok,20000,32,big\n2,2,x,ok,30000,16,big\n",
         "registers, memory and occupancy of the kernel <code>big</code>.</div></caption>", true},
        {"", TIE, "of the kernel", false},
    };
    expect_said(cases, sizeof cases / sizeof *cases, 3, put);
}

CU_TestInfo tests_report_top[] = {{"parts", parts}, CU_TEST_INFO_NULL};
