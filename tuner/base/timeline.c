#include "base/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"

void timeline(const char *process, const char *step)
{
    const char *zero = getenv("CUTUNE_TIMELINE");
    if (zero) /* one write: lines of several processes do not mix */
        dprintf(STDERR_FILENO, "timeline %.2f %s %s\n", (double)(clock_now_ns() - strtoll(zero, NULL, 10)) * 1e-6,
                process, step);
}
