#include "journal.h"

#define NAMES "T,status,time_ns,message\n1,ok,10000,\n2,ok,10100,\n3,ok,10200,\n"

static void put(struct report *report, const struct findings *findings)
{
    report_energy(report, findings, 0);
}

/* A chart for a journal with energies: the front, the others, the default and the library. */
static void charts(void)
{
    static const struct said cases[] = {
        {"", NAMES, "<figcaption>", false},
        {"", NAMES "1,energy,,rounds=0.02:10000/0.02:10000 group=1\n2,energy,,rounds=0.01:20000/0.01:20000 group=1\n",
         "<figcaption>Time against energy<", true},
        {"", NAMES "1,energy,,rounds=0.02:10000/0.02:10000 group=1\n2,energy,,rounds=0.01:20000/0.01:20000 group=1\n",
         "10,20,,,,10,10,20,20,front,T=1\n20,10,,,,20,20,10,10,front,T=2\n", true},
        {"", NAMES "1,energy,,rounds=0.02:10000/0.02:10000 group=1\n3,energy,,rounds=0.03:20000/0.03:20000 group=1\n",
         "10,20,,,,10,10,20,20,front,T=1\n20,,30,,,20,20,30,30,,T=3\n", true},
        {"# default = T=3\n",
         NAMES "1,energy,,rounds=0.02:10000/0.02:10000 group=1\n3,energy,,rounds=0.03:20000/0.03:20000 group=1\n",
         "20,,,30,,20,20,30,30,,T=3\n", true},
        /* a library of half the energy and twice the time of a configuration */
        {"",
         NAMES "1,library,8000,winner=9000 hash=ab energy=1:4000/1:4000 winner_energy=2:2000/2:2000\n"
               "1,energy,,rounds=0.02:10000/0.02:10000 group=1\n",
         "20,,,,10,20,20,10,10,library,\n", true},
        /* only the last group counts */
        {"", NAMES "1,energy,,rounds=0.02:10000 group=1\n2,energy,,rounds=0.01:20000/0.01:20000 group=2\n", "T=1\n",
         false},
    };
    expect_said(cases, sizeof cases / sizeof *cases, 1, put);
}

CU_TestInfo tests_report_energy[] = {{"charts", charts}, CU_TEST_INFO_NULL};
