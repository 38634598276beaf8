#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/measurement.h"

static void unknown_is_unknown(void)
{
    struct measurement m = measurement_unknown(STATUS_TIMEOUT);
    CU_ASSERT_EQUAL(m.status, STATUS_TIMEOUT);
    CU_ASSERT_EQUAL(m.samples, 0);
    CU_ASSERT(isnan(m.value) && isnan(m.low) && isnan(m.high) && isnan(m.occupancy));
    CU_ASSERT(m.registers == -1 && m.shared_bytes == -1 && m.local_bytes == -1);
    CU_ASSERT(m.compile_ns == -1 && m.measure_ns == -1);
    CU_ASSERT_STRING_EQUAL(m.message, "");
}

static void which_have_a_time(void)
{
    for (int i = 0; i < STATUS_COUNT; i++) {
        struct measurement m = measurement_unknown((enum status)i);
        CU_ASSERT(!measurement_timed(&m));
        CU_ASSERT(!measurement_has_value(&m));
        m.value = 5;
        CU_ASSERT_EQUAL(measurement_has_value(&m), i == STATUS_OK || i == STATUS_DUPLICATE || i == STATUS_SLOWER);
        CU_ASSERT_EQUAL(measurement_timed(&m), i == STATUS_OK || i == STATUS_DUPLICATE);
    }
}

static void what_is_better(void)
{
    static const struct {
        double value;
        enum playoff playoff;
        int64_t registers, shared_bytes;
        uint64_t index;
    } rows[] = {{99, PLAYOFF_LOST, 255, 4096, 9}, {100, PLAYOFF_NONE, 16, 1024, 9},  {100, PLAYOFF_TIED, 32, 0, 4},
                {100, PLAYOFF_LEADER, 32, 16, 3}, {100, PLAYOFF_TIED, 32, 16, 5},    {100, PLAYOFF_NONE, 40, 8, 1},
                {100, PLAYOFF_LOST, 8, 0, 0},     {100, PLAYOFF_UNSTEADY, 16, 0, 0}, {101, PLAYOFF_LEADER, 8, 0, 0}};
    enum { ROWS = sizeof rows / sizeof *rows };
    struct measurement of[ROWS];
    for (int i = 0; i < ROWS; i++) {
        of[i] = measurement_unknown(STATUS_OK);
        of[i].value = rows[i].value;
        of[i].playoff = rows[i].playoff;
        of[i].registers = rows[i].registers;
        of[i].shared_bytes = rows[i].shared_bytes;
    }
    for (int a = 0; a < ROWS; a++)
        for (int b = 0; b < ROWS; b++)
            CU_ASSERT_EQUAL(measurement_better(&of[a], rows[a].index, &of[b], rows[b].index), a < b);
    CU_ASSERT(measurement_compare_tied(&of[1], &of[2]) < 0); /* registers before shared memory */
    CU_ASSERT(measurement_compare_tied(&of[2], &of[3]) < 0);
    CU_ASSERT(measurement_compare_tied(&of[3], &of[2]) > 0);
    CU_ASSERT_EQUAL(measurement_compare_tied(&of[3], &of[4]), 0);
}

/* The efficiency on other devices decides first: known, unknown, failed. */
static void what_is_kept(void)
{
    static const double order[] = {1, 0.9949, 0.004, NAN, 0};
    enum { ROWS = sizeof order / sizeof *order };
    struct measurement of[ROWS];
    for (int i = 0; i < ROWS; i++) {
        of[i] = measurement_unknown(STATUS_OK);
        CU_ASSERT(isnan(of[i].efficiency_other_devices));
        of[i].efficiency_other_devices = order[i];
        of[i].registers = 100 - i;
    }
    for (int a = 0; a < ROWS; a++)
        for (int b = 0; b < ROWS; b++) {
            int kept = measurement_compare_tied(&of[a], &of[b]);
            CU_ASSERT_EQUAL((kept > 0) - (kept < 0), (a > b) - (a < b));
        }
    of[1].efficiency_other_devices = 0.9951; /* as good as 1, with fewer registers */
    CU_ASSERT(measurement_compare_tied(&of[1], &of[0]) < 0);
    of[0].efficiency_other_devices = NAN;
    CU_ASSERT(measurement_compare_tied(&of[3], &of[0]) < 0); /* both unknown: fewer registers */
}

/* The order in which tied configurations are kept: the first difference decides. */
static void order_of_ties(void)
{
    static const struct {
        double devices, sizes;
        int64_t registers, shared_bytes;
    } order[] = {{1, 0.5, 200, 9}, {0.9, 1, 90, 9}, {0.9, 0.7, 10, 0},    {0.9, 0.7, 10, 1}, {0.9, 0.7, 11, 0},
                 {0.9, NAN, 1, 0}, {0.9, 0, 1, 0},  {NAN, 0.8, 100, 100}, {NAN, NAN, 1, 1},  {NAN, NAN, 1, 2},
                 {NAN, NAN, 2, 1}, {NAN, 0, 1, 1},  {0, 1, 1, 1}};
    enum { ROWS = sizeof order / sizeof *order };
    struct measurement of[ROWS];
    for (int i = 0; i < ROWS; i++) {
        of[i] = measurement_unknown(STATUS_OK);
        CU_ASSERT(isnan(of[i].efficiency_other_sizes));
        of[i].efficiency_other_devices = order[i].devices;
        of[i].efficiency_other_sizes = order[i].sizes;
        of[i].registers = order[i].registers;
        of[i].shared_bytes = order[i].shared_bytes;
    }
    for (int a = 0; a < ROWS; a++)
        for (int b = 0; b < ROWS; b++) {
            int kept = measurement_compare_tied(&of[a], &of[b]);
            CU_ASSERT_EQUAL((kept > 0) - (kept < 0), (a > b) - (a < b));
        }
}

/* Time per unit of work. A measurement without a value only gets the objective; a space without `work` changes
 * nothing. */
static void per_work(void)
{
    static const struct work_amounts none = {NAN, 8, 9}, some = {4, 800, 12};
    struct measurement m = measurement_unknown(STATUS_OK), failed = measurement_unknown(STATUS_CRASHED);
    m.value = 1000, m.low = 900, m.high = 1200;
    measurement_per_work(&m, &none);
    CU_ASSERT(m.value == 1000 && isnan(m.work) && isnan(m.run_ns) && isnan(m.bytes) && m.objective == 0);
    CU_ASSERT_EQUAL(measurement_reach(&m), objective_row_time.reach);
    measurement_per_work(&m, &some);
    CU_ASSERT(m.value == 250 && m.low == 225 && m.high == 300 && m.run_ns == 1000);
    CU_ASSERT(m.work == 4 && m.bytes == 800 && m.flops == 12);
    CU_ASSERT_PTR_EQUAL(measurement_objective(&m), &objective_row_time_per_work);
    CU_ASSERT_EQUAL(measurement_reach(&m), objective_row_time.reach / 4);
    measurement_per_work(&failed, &some);
    CU_ASSERT(isnan(failed.value) && isnan(failed.work));
    CU_ASSERT_PTR_EQUAL(measurement_objective(&failed), &objective_row_time_per_work);
}

static void message_is_one_line(void)
{
    struct measurement m = measurement_unknown(STATUS_COMPILE_ERROR);
    measurement_explain(&m, "a.cu(%d):\n\terror\r\033[31m\x7f", 3);
    CU_ASSERT_STRING_EQUAL(m.message, "a.cu(3):  error  [31m ");
    measurement_explain(&m, "%1000d", 1);
    CU_ASSERT_EQUAL(strlen(m.message), sizeof m.message - 1);
    measurement_explain(&m, "%s", "");
    CU_ASSERT_STRING_EQUAL(m.message, "");
}

/* Names in journals never change, because old journals must stay readable. */
static const char *const names[] = {"ok",           "pruned_limit", "pruned_occupancy", "compile_error", "launch_error",
                                    "wrong_result", "crashed",      "timeout",          "slower",        "duplicate"};

static void status_names(void)
{
    CU_ASSERT_EQUAL(STATUS_COUNT, sizeof names / sizeof *names);
    for (int i = 0; i < STATUS_COUNT; i++) {
        enum status status = STATUS_COUNT;
        CU_ASSERT_STRING_EQUAL(status_name((enum status)i), names[i]);
        CU_ASSERT_NOT_EQUAL(status_description((enum status)i)[0], '\0');
        CU_ASSERT(status_find(names[i], &status));
        CU_ASSERT_EQUAL((int)status, i);
    }
    enum status status = STATUS_SLOWER;
    CU_ASSERT(!status_find("OK", &status));
    CU_ASSERT(!status_find("", &status));
    CU_ASSERT_EQUAL(status, STATUS_SLOWER);
}

/* Classes decide which measurements are compared; T4's words occur in other people's files. */
static void status_classes(void)
{
    static const struct {
        enum outcome_class class;
        const char *t4;
        enum status first; /* result of reading the word */
    } rows[STATUS_COUNT] = {[STATUS_OK] = {OUTCOME_TIMED, "correct", STATUS_OK},
                            [STATUS_PRUNED_LIMIT] = {OUTCOME_FAILED, "constraints", STATUS_PRUNED_LIMIT},
                            [STATUS_PRUNED_OCCUPANCY] = {OUTCOME_FAILED, "constraints", STATUS_PRUNED_LIMIT},
                            [STATUS_COMPILE_ERROR] = {OUTCOME_FAILED, "compile", STATUS_COMPILE_ERROR},
                            [STATUS_LAUNCH_ERROR] = {OUTCOME_FAILED, "runtime", STATUS_LAUNCH_ERROR},
                            [STATUS_WRONG_RESULT] = {OUTCOME_FAILED, "correctness", STATUS_WRONG_RESULT},
                            [STATUS_CRASHED] = {OUTCOME_FAILED, "runtime", STATUS_LAUNCH_ERROR},
                            [STATUS_TIMEOUT] = {OUTCOME_FAILED, "timeout", STATUS_TIMEOUT},
                            [STATUS_SLOWER] = {OUTCOME_CENSORED, "correct", STATUS_OK},
                            [STATUS_DUPLICATE] = {OUTCOME_TIMED, "correct", STATUS_OK}};
    uint64_t counts[STATUS_COUNT];
    enum status status;
    for (int i = 0; i < STATUS_COUNT; i++) {
        CU_ASSERT_EQUAL(status_class((enum status)i), rows[i].class);
        CU_ASSERT_STRING_EQUAL(status_t4((enum status)i), rows[i].t4);
        CU_ASSERT(status_find_t4(rows[i].t4, &status));
        CU_ASSERT_EQUAL(status, rows[i].first);
        counts[i] = UINT64_C(1) << i;
    }
    CU_ASSERT(status_find_t4("Compile", &status) && status == STATUS_COMPILE_ERROR);
    CU_ASSERT(!status_find_t4("ok", &status) && !status_find_t4("", &status));
    CU_ASSERT_EQUAL(status_class_count(counts, OUTCOME_TIMED), 1U << STATUS_OK | 1U << STATUS_DUPLICATE);
    CU_ASSERT_EQUAL(status_class_count(counts, OUTCOME_CENSORED), 1U << STATUS_SLOWER);
    CU_ASSERT_EQUAL(status_class_count(counts, OUTCOME_UNKNOWN), 0);
    CU_ASSERT_EQUAL(status_class_count(counts, OUTCOME_FAILED),
                    (1U << STATUS_COUNT) - 1 - (1U << STATUS_OK | 1U << STATUS_DUPLICATE | 1U << STATUS_SLOWER));
}

static void other_names(void)
{
    static const char *const playoffs[] = {"", "leader", "tied", "lost", "unsteady"};
    static const char *const proposers[] = {"", "default", "warm_start", "strategy", "resume", "fit", "incumbent"};
    enum playoff playoff = PLAYOFF_LOST;
    enum proposer proposer = PROPOSER_STRATEGY;
    CU_ASSERT(PLAYOFF_COUNT == 5 && PROPOSER_COUNT == 7);
    CU_ASSERT(!playoff_find("won", &playoff) && playoff == PLAYOFF_LOST);
    CU_ASSERT(!proposer_find("nobody", &proposer) && proposer == PROPOSER_STRATEGY);
    for (int i = 0; i < PLAYOFF_COUNT; i++) {
        CU_ASSERT_EQUAL(playoff_beaten((enum playoff)i), i == PLAYOFF_LOST || i == PLAYOFF_UNSTEADY);
        CU_ASSERT_STRING_EQUAL(playoff_name((enum playoff)i), playoffs[i]);
        CU_ASSERT(playoff_find(playoffs[i], &playoff) && (int)playoff == i);
    }
    for (int i = 0; i < PROPOSER_COUNT; i++) {
        CU_ASSERT_STRING_EQUAL(proposer_name((enum proposer)i), proposers[i]);
        CU_ASSERT(proposer_find(proposers[i], &proposer) && (int)proposer == i);
    }
}

/* The name of the original and the reason of its missing time; a name that may be cut off is ignored. */
static void messages_of_duplicates(void)
{
    static const struct {
        const char *configuration, *reason, *message;
    } cases[] = {
        {"A=1 B=x", "", "the same machine code and launch as A=1 B=x"},
        {"A=1", "out differs: 3 of 4", "the same machine code and launch as A=1: out differs: 3 of 4"},
        {"A=1", "the same machine code and launch as A=2", "the same machine code and launch as A=1"},
        {"A=1", "the same machine code and launch as A=2: late", "the same machine code and launch as A=1: late"},
    };
    struct measurement m = measurement_unknown(STATUS_DUPLICATE);
    char name[300];
    size_t length;
    CU_ASSERT_PTR_NULL(measurement_duplicate(&m, &length));
    measurement_explain(&m, "as slow as the same machine code and launch as A=1");
    CU_ASSERT_PTR_NULL(measurement_duplicate(&m, &length));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        measurement_explain_duplicate(&m, cases[i].configuration, cases[i].reason);
        CU_ASSERT_STRING_EQUAL(m.message, cases[i].message);
        const char *found = measurement_duplicate(&m, &length);
        CU_ASSERT_PTR_NOT_NULL_FATAL(found);
        CU_ASSERT_EQUAL(length, strlen(cases[i].configuration));
        CU_ASSERT_EQUAL(memcmp(found, cases[i].configuration, length), 0);
    }
    for (size_t bytes = 217; bytes < 222; bytes++) {
        memset(name, 'x', bytes);
        name[bytes] = '\0';
        measurement_explain_duplicate(&m, name, "");
        CU_ASSERT_EQUAL(measurement_duplicate(&m, &length) != NULL, bytes + 36 < sizeof m.message - 1);
    }
}

CU_TestInfo tests_measurement[] = {{"unknown is unknown", unknown_is_unknown},
                                   {"measurements with a time", which_have_a_time},
                                   {"the order of measurements", what_is_better},
                                   {"the best of a tie is kept", what_is_kept},
                                   {"the order of ties", order_of_ties},
                                   {"time per unit of work", per_work},
                                   {"a message is one line", message_is_one_line},
                                   {"status names", status_names},
                                   {"status classes and words of T4", status_classes},
                                   {"names of play-offs and proposers", other_names},
                                   {"messages of duplicates", messages_of_duplicates},
                                   CU_TEST_INFO_NULL};
