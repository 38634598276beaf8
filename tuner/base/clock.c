#include "base/clock.h"

#include <time.h>

int64_t clock_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void clock_utc(char text[CLOCK_UTC_BYTES])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, CLOCK_UTC_BYTES, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
