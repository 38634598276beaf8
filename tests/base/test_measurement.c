#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/measurement.h"

static void unknown_is_unknown(void)
{
    struct measurement m = measurement_unknown(STATUS_TIMEOUT);
    CU_ASSERT_EQUAL(m.status, STATUS_TIMEOUT);
    CU_ASSERT_EQUAL(m.samples, 0);
    CU_ASSERT(isnan(m.time_ns) && isnan(m.low_ns) && isnan(m.high_ns) && isnan(m.occupancy));
    CU_ASSERT(m.registers == -1 && m.shared_bytes == -1 && m.local_bytes == -1);
    CU_ASSERT(m.compile_ns == -1 && m.measure_ns == -1);
    CU_ASSERT_STRING_EQUAL(m.message, "");
}

static void which_have_a_time(void)
{
    for (int i = 0; i < STATUS_COUNT; i++) {
        struct measurement m = measurement_unknown((enum status)i);
        CU_ASSERT(!measurement_timed(&m));
        m.time_ns = 5;
        CU_ASSERT_EQUAL(measurement_timed(&m), i == STATUS_OK || i == STATUS_DUPLICATE);
    }
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

/* Names in journals: never changed, because journals are read for ever. */
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

CU_TestInfo tests_measurement[] = {{"unknown is unknown", unknown_is_unknown},
                                   {"which have a time", which_have_a_time},
                                   {"a message is one line", message_is_one_line},
                                   {"status names", status_names},
                                   CU_TEST_INFO_NULL};
