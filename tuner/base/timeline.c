#include "base/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

enum { LINE_BYTES = 256 };

void timeline(const char *process, const char *step)
{
    const char *zero = getenv("CUTUNE_TIMELINE");
    char line[LINE_BYTES];
    if (!zero)
        return;
    int length = snprintf(line, sizeof line, "timeline %.2f %s %s\n",
                          (double)(clock_now_ns() - strtoll(zero, NULL, 10)) * 1e-6, process, step);
    if (length > 0 && (size_t)length < sizeof line) /* one write: lines of several processes do not mix */
        file_write_all(STDERR_FILENO, line, (size_t)length, "standard error", NULL);
}
