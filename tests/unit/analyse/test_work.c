/* Work that a faster configuration saves. */
#include <string.h>

#include <CUnit/Basic.h>

#include "analyse/work.h"
#include "base/error.h"
#include "base/evidence.h"

static struct evidence parse(const char *text)
{
    struct evidence evidence = evidence_unknown();
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(evidence_parse(text, &evidence, &error), 0);
    return evidence;
}

static void test_saved(void)
{
    static const struct {
        const char *slow, *fast;
        double speedup;
        enum resource resource; /* RESOURCE_UNKNOWN: none */
        bool binds;
        double saved;
    } cases[] = {
        {"cycles=9 dram_busy=0.6 dram_read_bytes=8 dram_write_bytes=2", "dram_read_bytes=4 dram_write_bytes=1", 2,
         RESOURCE_DRAM, true, 0.5},
        {"cycles=9 dram_busy=0.5 dram_read_bytes=8 dram_write_bytes=2", "dram_read_bytes=4 dram_write_bytes=1", 2,
         RESOURCE_DRAM, false, 0.5},
        /* A quarter of the bytes does not explain three quarters of the time; nor does more work. */
        {"cycles=9 dram_busy=0.9 dram_read_bytes=8 dram_write_bytes=0", "dram_read_bytes=6 dram_write_bytes=0", 4,
         RESOURCE_UNKNOWN, false, 0},
        {"cycles=9 dram_busy=0.9 dram_read_bytes=6 dram_write_bytes=0", "dram_read_bytes=8 dram_write_bytes=0", 1.1,
         RESOURCE_UNKNOWN, false, 0},
        /* The resource that binds comes before the one that saves more. */
        {"cycles=9 l2_busy=0.6 l2_bytes=10 instructions=100 issue_active=0.1", "l2_bytes=5 instructions=10", 2,
         RESOURCE_L2, true, 0.5},
        {"cycles=9 instructions=100 issue_active=0.1 l2_busy=0.6 l1_wavefronts=8 l1_busy=0.7 l2_bytes=10",
         "l2_bytes=5 instructions=10 l1_wavefronts=2", 2, RESOURCE_L1, true, 0.75},
        {"cycles=9 instructions=100 issue_active=0.7", "instructions=50", 2, RESOURCE_ISSUE, true, 0.5},
        {"cycles=9 instructions=100 issue_active=0.7 sm_active=0.5", "instructions=50", 2, RESOURCE_ISSUE, false, 0.5},
        /* An idle resource costs no time. */
        {"cycles=9 dram_busy=0.05 dram_read_bytes=8 dram_write_bytes=2", "dram_read_bytes=4 dram_write_bytes=1", 2,
         RESOURCE_UNKNOWN, false, 0},
        {"cycles=9 dram_busy=0.12 dram_read_bytes=8 dram_write_bytes=2", "dram_read_bytes=4 dram_write_bytes=1", 2,
         RESOURCE_DRAM, false, 0.5},
        {"cycles=9", "cycles=9", 2, RESOURCE_UNKNOWN, false, 0},
        /* The stage of a pipeline whose time explains most: of the run's time, not of its own. */
        {"chunks=1 allocate_ns=0 in_ns=30 kernel_ns=90 out_ns=30 run_ns=100", "in_ns=20 kernel_ns=40 out_ns=30", 2,
         RESOURCE_KERNEL, true, 0.5},
        {"chunks=1 allocate_ns=0 in_ns=55 kernel_ns=10 out_ns=35 run_ns=100", "in_ns=20 kernel_ns=5 out_ns=30", 1.5,
         RESOURCE_COPIES_IN, false, 0.35},
        {"chunks=1 allocate_ns=30 in_ns=5 kernel_ns=5 out_ns=60 run_ns=100",
         "allocate_ns=10 in_ns=5 kernel_ns=5 out_ns=30", 2, RESOURCE_COPIES_OUT, true, 0.3},
        {"chunks=1 allocate_ns=0 in_ns=55 kernel_ns=10 out_ns=35 run_ns=100", "in_ns=40 kernel_ns=5 out_ns=30", 2,
         RESOURCE_UNKNOWN, false, 0},
        {"chunks=1", "chunks=1", 2, RESOURCE_UNKNOWN, false, 0},
    };
    const struct measurement run = measurement_unknown(STATUS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct evidence slow = parse(cases[i].slow), fast = parse(cases[i].fast);
        const struct explanation_configuration a = {"A=0", &run, &slow, 1}, b = {"A=1", &run, &fast, 1};
        const struct work work = work_saved(&a, &b, cases[i].speedup);
        CU_ASSERT_EQUAL_FATAL(work.shown != NULL, cases[i].resource != RESOURCE_UNKNOWN);
        if (!work.shown)
            continue;
        CU_ASSERT_EQUAL(work.resource, cases[i].resource);
        CU_ASSERT_EQUAL(work.binds, cases[i].binds);
        CU_ASSERT_DOUBLE_EQUAL(work.saved, cases[i].saved, 1e-9);
    }
}

/* All launches count with their repetitions, and shares are weighted by cycles. */
static void test_launches(void)
{
    const struct evidence slow[] = {parse("cycles=10 repeats=2 l2_bytes=10 l2_busy=0.65"),
                                    parse("cycles=20 l2_bytes=20 l2_busy=0.26")},
                          fast[] = {parse("cycles=10 l2_bytes=20")};
    const struct measurement run = measurement_unknown(STATUS_OK);
    const struct explanation_configuration a = {"A=0", &run, slow, 2}, b = {"A=1", &run, fast, 1};
    const struct work work = work_saved(&a, &b, 2);
    CU_ASSERT_PTR_NOT_NULL_FATAL(work.shown);
    CU_ASSERT_DOUBLE_EQUAL(work.slow, 40, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(work.fast, 20, 1e-9);
    CU_ASSERT(work.binds); /* 0.7 on average */
}

/* A run of the fast one does four times the work of a run of the slow one. */
static void test_for_the_same_work(void)
{
    const struct evidence slow = parse("cycles=9 dram_busy=0.9 dram_read_bytes=100 dram_write_bytes=0"),
                          fast = parse("dram_read_bytes=110 dram_write_bytes=0");
    struct measurement one = measurement_unknown(STATUS_OK), four = one;
    one.work = 2;
    four.work = 8;
    const struct explanation_configuration a = {"A=0", &one, &slow, 1}, b = {"A=1", &four, &fast, 1};
    const struct work work = work_saved(&a, &b, 3.5);
    CU_ASSERT_PTR_NOT_NULL_FATAL(work.shown);
    CU_ASSERT_DOUBLE_EQUAL(work.slow, 400, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(work.fast, 110, 1e-9);
    CU_ASSERT(work.binds);
}

CU_TestInfo tests_work[] = {{"work saved", test_saved},
                            {"several launches", test_launches},
                            {"for the same work", test_for_the_same_work},
                            CU_TEST_INFO_NULL};
