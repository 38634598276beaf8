#include "exchange/exchange.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

static void units(void)
{
    static const struct {
        const char *name;
        double ns;
    } rows[] = {{"ns", 1}, {"us", 1e3},       {"ms", 1e6}, {"s", 1e9},           {"MS", 1e6},          {"seconds", 1e9},
                {"", 0},   {"fortnights", 0}, {"m", 0},    {"miliseconds", 1e6}, {"milliseconds", 1e6}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(exchange_unit_ns(rows[i].name), rows[i].ns);
}

static void statuses(void)
{
    static const struct {
        const char *word;
        int status; /* -1: none */
    } rows[] = {{"ok", STATUS_OK},
                {"correct", STATUS_OK},
                {"compile", STATUS_COMPILE_ERROR},
                {"CompilationFailedConfig", STATUS_COMPILE_ERROR},
                {"runtimefailedconfig", STATUS_LAUNCH_ERROR},
                {"runtime", STATUS_LAUNCH_ERROR},
                {"runtime_error", STATUS_LAUNCH_ERROR},
                {"correctness", STATUS_WRONG_RESULT},
                {"wrong_result", STATUS_WRONG_RESULT},
                {"constraints", STATUS_PRUNED_LIMIT},
                {"InvalidConfig", STATUS_PRUNED_LIMIT},
                {"ErrorConfig", STATUS_LAUNCH_ERROR},
                {"DeviceLimitsExceeded", STATUS_PRUNED_LIMIT},
                {"ValidationFailed", STATUS_WRONG_RESULT},
                {"timeout", STATUS_TIMEOUT},
                {"fine", -1},
                {"", -1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        enum status status = STATUS_COUNT;
        CU_ASSERT_EQUAL(exchange_status(rows[i].word, &status), rows[i].status >= 0);
        CU_ASSERT(rows[i].status < 0 || (int)status == rows[i].status);
    }
}

static void durations(void)
{
    static const struct {
        double value, unit_ns;
        int64_t ns; /* -1: none */
    } rows[] = {{0, 1e9, 0},     {1.5, 1e3, 1500},  {2.6, 1, 3},
                {-1, 1, -1},     {NAN, 1, -1},      {1e300, 1, -1},
                {1e10, 1e9, -1}, {INFINITY, 1, -1}, {8e9, 1e9, 8000000000000000000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t ns = -1;
        CU_ASSERT_EQUAL(exchange_duration(rows[i].value, rows[i].unit_ns, &ns), rows[i].ns >= 0);
        CU_ASSERT(rows[i].ns < 0 || ns == rows[i].ns);
    }
}

/* The header holds the options of the command line; the kernel has the file's name, and the fingerprint covers the
 * rows. */
static void journals(void)
{
    static const char *const names[] = {"A"};
    char fingerprints[2][64];
    for (int i = 0; i < 2; i++) {
        const struct exchange_setup setup = {.path = "some/dir/file.x.csv", .device = "GPU", .problem = "N=4"};
        struct exchange exchange = {0};
        struct error error = {0};
        struct text journal = {0};
        struct journal *read = NULL;
        const char *const values[] = {i ? "7" : "8"};
        struct journal_row row = {.values = values, .measurement = measurement_unknown(STATUS_OK)};
        CU_ASSERT_EQUAL_FATAL(exchange_start(&exchange, &setup, &error), 0);
        exchange.header.parameters = names;
        exchange.header.parameter_count = 1;
        CU_ASSERT_EQUAL(exchange_check_name(&exchange, "A"), 0);
        CU_ASSERT_EQUAL(exchange_check_value(&exchange, "A", "7"), 0);
        row.measurement.value = 5;
        CU_ASSERT_EQUAL(exchange_add(&exchange, &row), 0);
        CU_ASSERT_EQUAL(exchange_finish(&exchange, &journal), 0);
        CU_ASSERT_EQUAL_FATAL(journal_parse(&read, "j", text_string(&journal), journal.length, &error), 0);
        const struct journal_header *header = journal_get_header(read);
        CU_ASSERT_STRING_EQUAL(header->provenance.kernel, "file");
        CU_ASSERT_STRING_EQUAL(header->provenance.problem, "N=4");
        CU_ASSERT_STRING_EQUAL(header->provenance.device.name, "GPU");
        CU_ASSERT_EQUAL(journal_row_count(read), 1);
        snprintf(fingerprints[i], sizeof fingerprints[i], "%s", header->provenance.fingerprint);
        CU_ASSERT_EQUAL(exchange_check_name(&exchange, "a b"), ERROR_DATA);
        error_clear(&error);
        CU_ASSERT_EQUAL(exchange_check_value(&exchange, "A", "two words"), ERROR_DATA);
        journal_close(read, NULL);
        text_free(&journal);
        exchange_free(&exchange);
    }
    CU_ASSERT(*fingerprints[0] && strcmp(fingerprints[0], fingerprints[1]) != 0);
}

CU_TestInfo tests_exchange[] = {{"units of time", units},
                                {"words for statuses", statuses},
                                {"durations", durations},
                                {"journals", journals},
                                CU_TEST_INFO_NULL};
