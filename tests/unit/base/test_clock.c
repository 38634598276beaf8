#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <CUnit/Basic.h>

/* Wall time advances while the process sleeps; its processor time does not. */
static void two_clocks(void)
{
    int64_t now = clock_now_ns(), used = clock_process_ns();
    usleep(50000);
    int64_t slept = clock_now_ns() - now;
    CU_ASSERT(slept >= 50000000);
    CU_ASSERT(clock_process_ns() - used < slept / 2);
    for (volatile int i = 0; i < 3000000; i++)
        ;
    CU_ASSERT(clock_process_ns() > used);
}

/* In ISO 8601 format, and close to now. */
static void utc(void)
{
    char text[CLOCK_UTC_BYTES];
    struct tm parts = {0};
    memset(text, 'x', sizeof text);
    clock_utc(text);
    CU_ASSERT_EQUAL_FATAL(strlen(text), CLOCK_UTC_BYTES - 1);
    CU_ASSERT_EQUAL(sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ", &parts.tm_year, &parts.tm_mon, &parts.tm_mday,
                           &parts.tm_hour, &parts.tm_min, &parts.tm_sec),
                    6);
    CU_ASSERT_EQUAL(text[CLOCK_UTC_BYTES - 2], 'Z');
    parts.tm_year -= 1900;
    parts.tm_mon--;
    time_t apart = time(NULL) - timegm(&parts);
    CU_ASSERT(apart >= 0 && apart < 5);
}

CU_TestInfo tests_clock[] = {{"two clocks", two_clocks}, {"UTC", utc}, CU_TEST_INFO_NULL};
