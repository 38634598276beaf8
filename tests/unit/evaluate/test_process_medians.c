/* Verdicts over the processes of a play-off. */
#include "base/stop_rules.h"
#include "evaluate/process_medians.h"

#include <math.h>

#include <CUnit/Basic.h>

enum { FINALISTS = 3, PROCESSES = 6 };

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void verdicts(void)
{
    static const struct {
        struct {
            double times_ns[PROCESSES];
            double work; /* 0: 1 */
            struct process_verdict expected;
        } finalists[FINALISTS];
        size_t processes;
        double confidence, tick_ns;
    } rows[] = {
        /* always slower, but closer to the leader than the processes to one another */
        {{{{100, 110, 90, 105, 95, 120}, 0, {6, 102.5, {90, 120}, PLAYOFF_LEADER}},
          {{101, 111, 91, 106, 96, 121}, 0, {6, 103.5, {91, 121}, PLAYOFF_LOST}},
          {{101, 111, 91, 104, 96, 121}, 0, {6, 102.5, {91, 121}, PLAYOFF_TIED}}},
         6,
         0.95,
         0},
        /* a leader of one process that is slower in the others */
        {{{{90, 112, 112, 112, 112, 112}, 0, {6, 112, {90, 112}, PLAYOFF_TIED}},
          {{100, 100, 100, 100, 100, 100}, 0, {6, 100, {100, 100}, PLAYOFF_LEADER}},
          {{100, 100, 100, 100, 100, 100}, 0, {6, 100, {100, 100}, PLAYOFF_TIED}}},
         6,
         0.95,
         0},
        /* per unit of work; times stay those of a run */
        {{{{100, 110}, 1, {2, 105, {100, 110}, PLAYOFF_LOST}},
          {{180, 190}, 2, {2, 185, {180, 190}, PLAYOFF_LEADER}},
          {{400, 370}, 4, {2, 385, {370, 400}, PLAYOFF_TIED}}},
         2,
         0.95,
         0},
        /* a process without times, and a finalist that lacks others */
        {{{{100, NAN, 90, 110, 100, 100}, 0, {5, 100, {90, 110}, PLAYOFF_LEADER}},
          {{101, NAN, NAN, NAN, NAN, NAN}, 0, {1, NAN, {NAN, NAN}, PLAYOFF_NONE}},
          {{120, NAN, 95, 130, NAN, NAN}, 0, {3, 120, {95, 130}, PLAYOFF_LOST}}},
         6,
         0.95,
         0},
        /* no common process */
        {{{{100, 100, NAN, NAN}, 0, {2, 100, {100, 100}, PLAYOFF_LEADER}},
          {{NAN, NAN, 150, 150}, 0, {2, 150, {150, 150}, PLAYOFF_TIED}},
          {{NAN, NAN, NAN, NAN}, 0, {0, NAN, {NAN, NAN}, PLAYOFF_NONE}}},
         4,
         0.95,
         0},
        /* one process */
        {{{{100}, 0, {1, NAN, {NAN, NAN}, PLAYOFF_NONE}},
          {{90}, 0, {1, NAN, {NAN, NAN}, PLAYOFF_NONE}},
          {{NAN}, 0, {0, NAN, {NAN, NAN}, PLAYOFF_NONE}}},
         1,
         0.95,
         0},
        /* a lower confidence leaves out the ends */
        {{{{90, 100, 101, 102, 103, 150}, 0, {6, 101.5, {100, 103}, PLAYOFF_LEADER}},
          {{80, 101, 102, 103, 104, 160}, 0, {6, 102.5, {101, 104}, PLAYOFF_LOST}},
          {{80, 90, 104, 105, 106, 160}, 0, {6, 104.5, {90, 106}, PLAYOFF_TIED}}},
         6,
         0.5,
         0},
        /* always slower, but by no more than the timer can tell */
        {{{{100, 110, 90, 105, 95, 120}, 0, {6, 102.5, {90, 120}, PLAYOFF_LEADER}},
          {{102, 112, 92, 107, 97, 122}, 0, {6, 104.5, {92, 122}, PLAYOFF_TIED}},
          {{103, 113, 93, 108, 98, 123}, 0, {6, 105.5, {93, 123}, PLAYOFF_LOST}}},
         6,
         0.95,
         2},
    };
    static struct process_medians finalists[FINALISTS]; /* large */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct process_verdict got[FINALISTS];
        for (size_t k = 0; k < FINALISTS; k++) {
            finalists[k].work = rows[i].finalists[k].work > 0 ? rows[i].finalists[k].work : 1;
            for (size_t p = 0; p < PROCESSES; p++)
                finalists[k].times_ns[p] = rows[i].finalists[k].times_ns[p];
        }
        process_medians_judge(finalists, FINALISTS, rows[i].processes, rows[i].confidence, rows[i].tick_ns, got);
        for (size_t k = 0; k < FINALISTS; k++) {
            const struct process_verdict *expected = &rows[i].finalists[k].expected;
            CU_ASSERT_EQUAL(got[k].processes, expected->processes);
            CU_ASSERT(same(got[k].median_ns, expected->median_ns));
            CU_ASSERT(same(got[k].interval.low, expected->interval.low));
            CU_ASSERT(same(got[k].interval.high, expected->interval.high));
            CU_ASSERT_EQUAL(got[k].playoff, expected->playoff);
        }
    }
}

/* More finalists and more processes take longer; one process needs no start of another. A finalist has its time in the
 * first process and in each further one, and a sustained play-off loads the device in each (base/stop_rules.h). */
static void seconds(void)
{
    CU_ASSERT_DOUBLE_EQUAL(process_medians_seconds(1, 1, false), KERNEL_NS / 1e9, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(process_medians_seconds(9, 3, false) - process_medians_seconds(8, 3, false),
                           (KERNEL_NS + 2 * FURTHER_NS) / 1e9, 1e-12);
    CU_ASSERT_EQUAL(process_medians_seconds(8, 0, false), process_medians_seconds(8, 1, false));
    CU_ASSERT_DOUBLE_EQUAL(process_medians_seconds(8, 1, false), 8 * process_medians_seconds(1, 1, false), 1e-12);
    for (size_t processes = 1; processes < PLAYOFF_PROCESSES_MAX; processes++)
        for (size_t finalists = 1; finalists < 10; finalists++) {
            double time_s = process_medians_seconds(finalists, processes, false);
            CU_ASSERT(time_s < process_medians_seconds(finalists + 1, processes, false));
            CU_ASSERT(time_s < process_medians_seconds(finalists, processes + 1, false));
            CU_ASSERT_DOUBLE_EQUAL(process_medians_seconds(finalists, processes, true) - time_s,
                                   (double)processes * LOAD_NS / 1e9, 1e-9);
        }
}

/* Before the first further process, the expected duration decides. */
static void in_time(void)
{
    for (int sustained = 0; sustained < 2; sustained++) {
        double expected_s = process_medians_seconds(4, 2, sustained) - process_medians_seconds(4, 1, sustained);
        const struct {
            double left_s, longest_s;
            bool fits;
        } rows[] = {{INFINITY, 0, true}, {1.01 * expected_s, 0, true}, {0.99 * expected_s, 0, false},
                    {0.02, 0.01, true},  {0.01, 0.02, false},          {-1, 0, false},
                    {-1, 0.01, false},   {INFINITY, 1e6, true}};
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            CU_ASSERT_EQUAL(process_medians_fit(rows[i].left_s, rows[i].longest_s, 4, sustained), rows[i].fits);
    }
}

/* A result's interval holds that of its processes, and is never narrower than the device drifts. */
static void reported(void)
{
    static const struct {
        double median_ns;
        struct interval processes, reported;
    } rows[] = {
        {1000, {1000, 1000}, {997.5, 1002.5}},
        {1000, {994, 1006}, {993.5, 1006.5}}, /* 2.5 and 6 are the legs of 6.5 */
        {2000, {2000, 2012}, {1995, 2013}},
        {1000, {400, 1000}, {399.99479, 1002.5}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct process_verdict verdict = {6, rows[i].median_ns, rows[i].processes, PLAYOFF_LEADER};
        const struct interval got = process_medians_reported(&verdict);
        CU_ASSERT_DOUBLE_EQUAL(got.low, rows[i].reported.low, 1e-4);
        CU_ASSERT_DOUBLE_EQUAL(got.high, rows[i].reported.high, 1e-4);
    }
}

static void wide(void)
{
    static const struct {
        struct process_verdict verdicts[FINALISTS];
        bool wide;
    } rows[] = {
        {{{6, 100, {99, 101}, PLAYOFF_LEADER}}, false},
        {{{6, 100, {98.9, 101}, PLAYOFF_LEADER}}, true},
        {{{6, 100, {99, 101}, PLAYOFF_LEADER}, {6, 101, {90, 110}, PLAYOFF_TIED}}, true},
        {{{6, 100, {99, 101}, PLAYOFF_LEADER}, {6, 120, {90, 130}, PLAYOFF_LOST}}, false},
        {{{1, NAN, {NAN, NAN}, PLAYOFF_NONE}}, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(process_medians_wide(rows[i].verdicts, FINALISTS, 0.01), rows[i].wide);
}

static void the_state_of_most_counts(void)
{
    static const struct {
        enum power_state states[4], counts;
    } rows[] = {
        {{POWER_CAP, POWER_BURST, POWER_BURST, POWER_BURST}, POWER_BURST},
        {{POWER_CAP, POWER_CAP, POWER_CAP, POWER_BURST}, POWER_CAP},
        {{POWER_CAP, POWER_CAP, POWER_BURST, POWER_BURST}, POWER_BURST},
        {{POWER_CAP, POWER_MIXED, POWER_MIXED, POWER_MIXED}, POWER_CAP},
        {{POWER_UNKNOWN, POWER_UNKNOWN, POWER_UNKNOWN, POWER_UNKNOWN}, POWER_BURST},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(process_medians_state(rows[i].states, 4), rows[i].counts);
}

CU_TestInfo tests_process_medians[] = {{"the state of most counts", the_state_of_most_counts},
                                       {"verdicts", verdicts},
                                       {"wide intervals", wide},
                                       {"reported", reported},
                                       {"seconds", seconds},
                                       {"in time", in_time},
                                       CU_TEST_INFO_NULL};
