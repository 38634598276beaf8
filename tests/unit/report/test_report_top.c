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
         "<thead><tr><th scope=\"col\" class=\"n k0\">#<th scope=\"col\" class=\"n k1\">time, µs<th scope=\"col\" "
         "class=\"n k2\">±, µs<th "
         "scope=\"col\" class=\"n k3\">× default<th scope=\"col\">standing<th scope=\"col\" class=\"n\" "
         "data-parameter>T<th "
         "scope=\"col\" class=\"n\">over best, %<th scope=\"col\" class=\"n\">registers</tr>",
         true},
        /* constant facts are in the caption */
        {"", TIE,
         "<caption><div>The same in all rows: <code data-constant>V=2</code>, <code data-constant>W=x</code>, 0 B of "
         "shared memory.</div></caption>",
         true},
        {"", NAMES "1,2,x,ok,10,,,32,0,\n", "<caption>", false},
        /* the cheapest of the tie is the winner, and the first */
        {"", TIE,
         "<tr class=\"winner\"><td class=\"n k0\">1<td class=\"n k1\">10.02<td class=\"n k2\">0.05<td>winner<td "
         "class=\"n\">4",
         true},
        {"", TIE,
         "<tr class=\"tied\"><td class=\"n k0\">2<td class=\"n k1\">10.00<td class=\"n k2\">0.05<td>tied<td "
         "class=\"n\">2",
         true},
        {"", TIE, "<tr><td class=\"n k0\">4<td class=\"n k1\">10.10", true},
        {"# default = T=1 V=2 W=x\n", TIE,
         "<tr class=\"default\"><td class=\"n k0\">6<td class=\"n k1\">20.00<td class=\"n k2\">0.10<td class=\"n "
         "k3\">1.00<td>default<td",
         true},
        {"# default = T=4 V=2 W=x\n", TIE, "<tr class=\"winner default\">", true},
        {"# default = T=4 V=2 W=x\n", TIE, "<td>winner, default<td", true},
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
        {"", OF_KERNELS "1,2,x,ok,20000,32,big\n2,2,x,ok,30000,16,small\n", "<th scope=\"col\">of the kernel</tr>",
         true},
        {"", OF_KERNELS "1,2,x,ok,20000,32,big\n2,2,x,ok,30000,16,small\n", "<td class=\"n\">16<td>small</tr>", true},
        {"", OF_KERNELS "1,2,x,ok,20000,32,big\n2,2,x,ok,30000,16,\n", "<td class=\"n\">16<td></tr>", true},
        {"", OF_KERNELS "1,2,x,ok,20000,32,big\n2,2,x,ok,30000,16,big\n",
         "registers, memory and occupancy of the kernel <code>big</code>.</div></caption>", true},
        {"", TIE, "of the kernel", false},
    };
    expect_said(cases, sizeof cases / sizeof *cases, 3, put);
}

/* A table with more columns than fit on paper may break its numbers. */
static void wide(void)
{
    for (int parameters = 13; parameters <= 14; parameters++) {
        struct text rows = {0};
        struct compared compared;
        struct page page;
        for (int p = 0; p < parameters; p++)
            text_printf(&rows, "P%d,", p);
        text_printf(&rows, "status,time_ns\n");
        for (int row = 0; row < 2; row++) {
            for (int p = 0; p < parameters; p++)
                text_printf(&rows, "%d,", row);
            text_printf(&rows, "ok,%d\n", 100 + row);
        }
        open_journal(&compared, "", (size_t)parameters, text_string(&rows));
        page_begin(&page);
        put(&page.report, &compared.findings[0]);
        page_end(&page);
        expect_part(&page.text, "<table class=\"top sortable wide\">", parameters == 14);
        page_free(&page);
        compared_close(&compared);
        text_free(&rows);
    }
}

CU_TestInfo tests_report_top[] = {{"parts", parts}, {"wide", wide}, CU_TEST_INFO_NULL};
