#include "commands/judge_clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

static const struct row {
    const char *own, *other; /* states */
    const char *why;         /* "": nothing to say */
} rows[] = {
    {"8x1980:0:40", "8x1980:0:40", ""},
    {"8x1980:0:40", "8x1965:0:40", ""}, /* a step of the clock */
    {"8x1980:0:40", "8x1755:0:40", "measured at other clocks: it at 1.98 GHz, the default at 1.75 GHz"},
    {"8x1600:4:70", "8x1980:0:40", "measured at other clocks: it at the power cap, 1.60 GHz, the default at 1.98 GHz"},
    {"2x1980:0:40/6x1500:0:40", "8x1980:0:40", "measured at other clocks: it at 1.50 GHz, the default at 1.98 GHz"},
    {"8x-:-:-", "8x1980:0:40", ""},
    {"", "8x1980:0:40", ""},
};

static void clocks_are_equal_or_named(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text why = {0};
        struct measurement own = measurement_unknown(STATUS_OK), other = own;
        snprintf(own.states, sizeof own.states, "%s", rows[i].own);
        snprintf(other.states, sizeof other.states, "%s", rows[i].other);
        CU_ASSERT_EQUAL(judge_clock_explain(&own, &other, "default", &why), *rows[i].why != '\0');
        CU_ASSERT_STRING_EQUAL(text_string(&why), rows[i].why);
        text_free(&why);
    }
}

static void further_remarks(void)
{
    struct text why = {0};
    struct measurement own = measurement_unknown(STATUS_OK), other = own;
    snprintf(own.states, sizeof own.states, "1x1500:0:40");
    snprintf(other.states, sizeof other.states, "1x1000:0:40");
    text_printf(&why, "first");
    CU_ASSERT_TRUE(judge_clock_explain(&own, &other, "default", &why));
    CU_ASSERT_PTR_EQUAL(strstr(text_string(&why), "first; measured"), text_string(&why));
    CU_ASSERT_EQUAL(judge_clock_mhz(&own), 1500);
    text_free(&why);
}

CU_TestInfo tests_judge_clock[] = {
    {"clocks_are_equal_or_named", clocks_are_equal_or_named}, {"further_remarks", further_remarks}, CU_TEST_INFO_NULL};
