/* A run over many devices loses and repeats nothing, and every process gets work. How busy they are, tools/bench/fleet
 * measures. */
#include "tools/bench/fleet.h"

#include <stdio.h>

#include "../db/scratch.h"

static struct journal *recorded(void)
{
    static const char text[] = "# cutune journal 1\n# kernel = k\n# fingerprint = f\n# parameters = 1\n"
                               "A,status,time_ns,low_ns,high_ns,measure_ns\n"
                               "1,ok,1000,990,1010,1000\n2,compile_error,,,,9000000\n3,ok,2000,1990,2010,3000\n";
    struct journal *journal = NULL;
    CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", text, sizeof text - 1, NULL), 0);
    return journal;
}

static void everything_once(void)
{
    static const struct {
        const char *strategy;
        size_t devices, of_a_rank;
        uint64_t max_evals, evaluated;
        size_t used; /* at least: a device that comes late may find nothing left */
    } rows[] = {{"exhaustive", 24, 4, 0, 400, 6}, {"random", 7, 2, 0, 400, 4}, {"surrogate", 16, 8, 150, 150, 2}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct scratch scratch = scratch_open("journal.csv");
        struct strategy_choice choice = {0};
        struct fleet_result result;
        struct error error = {0};
        struct journal *journal = recorded(), *written = NULL;
        CU_ASSERT_EQUAL_FATAL(strategy_choose(&choice, rows[r].strategy, &error), 0);
        const struct fleet_setup setup = {.recorded = journal,
                                          .space = "space 2\nparam A = 1..20\nparam B = 1..20\n",
                                          .strategy = choice.ops,
                                          .devices = rows[r].devices,
                                          .devices_of_a_rank = rows[r].of_a_rank,
                                          .evaluation_ns = 2000000,
                                          .max_evals = rows[r].max_evals,
                                          .seed = 1,
                                          .journal = scratch.path};
        CU_ASSERT_EQUAL_FATAL(fleet_run(&setup, &result, &error), 0);
        CU_ASSERT_EQUAL(result.evaluated, rows[r].evaluated);
        CU_ASSERT_EQUAL(result.twice, 0);
        CU_ASSERT(result.used >= rows[r].used && result.used <= rows[r].devices);
        CU_ASSERT(result.measured_ns > 0 && result.coordinator_ns > 0);
        CU_ASSERT_EQUAL_FATAL(journal_read(&written, scratch.path, &error), 0);
        CU_ASSERT_EQUAL(journal_row_count(written), rows[r].evaluated);
        strategy_choice_free(&choice);
        journal_close(written, NULL);
        journal_close(journal, NULL);
        scratch_close(&scratch);
    }
}

static void no_times(void)
{
    static const char text[] = "# cutune journal 1\n# kernel = k\n# fingerprint = f\n# parameters = 1\n"
                               "A,status,time_ns,measure_ns\n1,ok,1000,\n2,compile_error,,9000000\n";
    struct journal *journal = NULL;
    struct fleet_result result;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", text, sizeof text - 1, NULL), 0);
    const struct fleet_setup setup = {
        .recorded = journal, .space = "", .strategy = &strategy_random, .devices = 1, .devices_of_a_rank = 1};
    CU_ASSERT_EQUAL(fleet_run(&setup, &result, &error), ERROR_DATA);
    CU_ASSERT_STRING_EQUAL(error.message, "j.csv has no times of evaluations");
    journal_close(journal, NULL);
}

CU_TestInfo tests_fleet[] = {{"everything is evaluated once, by all devices", everything_once},
                             {"a journal without times is refused", no_times},
                             CU_TEST_INFO_NULL};
