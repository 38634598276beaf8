#include "base/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

enum { LINE_BYTES = 256, HUNDREDTH_MS_NS = 10000 };

void timeline(const char *process, const char *step)
{
    const char *zero = getenv("CUTUNE_TIMELINE");
    char line[LINE_BYTES];
    if (!zero)
        return;
    int64_t hundredths = (clock_now_ns() - strtoll(zero, NULL, 10)) / HUNDREDTH_MS_NS;
    int length = snprintf(line, sizeof line, "timeline %s%lld.%02lld %s %s\n", hundredths < 0 ? "-" : "",
                          llabs(hundredths / 100), llabs(hundredths % 100), process, step);
    if (length > 0 && (size_t)length < sizeof line) /* a single write: lines of several processes do not mix */
        file_write_all(STDERR_FILENO, line, (size_t)length, "standard error", NULL);
}
