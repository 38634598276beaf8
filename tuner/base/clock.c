#include "base/clock.h"

#include <time.h>

static int64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clock_now_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t clock_process_ns(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void clock_utc(char text[CLOCK_UTC_BYTES])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, CLOCK_UTC_BYTES, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
