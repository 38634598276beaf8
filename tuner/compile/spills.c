#include "compile/spills.h"

#include <stdio.h>
#include <string.h>

/* The log says: Function properties for NAME; on the next line: N bytes stack frame, N bytes spill stores, N bytes
 * spill loads. */
bool spills_read(const char *log, const char *name, struct kernel_spills *spills)
{
    static const char head[] = "Function properties for ", frame[] = " bytes stack frame, ";
    size_t length = strlen(name);
    for (const char *at = log; (at = strstr(at, head));) {
        long long stores, loads;
        at += sizeof head - 1;
        if (strncmp(at, name, length) != 0 || at[length] != '\n')
            continue;
        const char *line = at + length + 1, *numbers = strstr(line, frame);
        if (!numbers || numbers > line + strcspn(line, "\n") ||
            sscanf(numbers + sizeof frame - 1, "%lld bytes spill stores, %lld bytes spill loads", &stores, &loads) != 2)
            return false;
        *spills = (struct kernel_spills){stores, loads};
        return true;
    }
    return false;
}
