#ifndef CUTUNE_BASE_CLOCK_H
#define CUTUNE_BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/* Monotonic time in nanoseconds, for deadlines and durations. */
int64_t clock_now_ns(void);

/* Processor time used by this process in nanoseconds, without its children. */
int64_t clock_process_ns(void);

enum { CLOCK_UTC_BYTES = 21 };
/* Writes the current UTC time as "2026-01-31T12:00:00Z". */
void clock_utc(char text[CLOCK_UTC_BYTES]);

#endif
