#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/groups.h"
#include "base/text.h"

enum { FILE_BYTES_MAX = 1 << 16 };

static double of_machine(const char *root)
{
    static const char name[] = "MemAvailable:";
    struct text path = {0}, text = {0};
    double bytes = INFINITY;
    text_printf(&path, "%s/proc/meminfo", root);
    const char *at =
        file_read(text_string(&path), FILE_BYTES_MAX, &text, NULL) ? NULL : strstr(text_string(&text), name);
    if (at)
        bytes = (double)strtoull(at + sizeof name - 1, NULL, 10) * 1024;
    text_free(&path);
    text_free(&text);
    return bytes;
}

/* Files that the group has read and no longer uses: the kernel drops them first. */
static double unused_files(const char *folder, size_t length)
{
    static const char name[] = "inactive_file ";
    struct text path = {0}, text = {0};
    text_printf(&path, "%.*s/memory.stat", (int)length, folder);
    const char *at =
        file_read(text_string(&path), FILE_BYTES_MAX, &text, NULL) ? NULL : strstr(text_string(&text), name);
    const double bytes = at ? (double)strtoull(at + sizeof name - 1, NULL, 10) : 0;
    text_free(&path);
    text_free(&text);
    return bytes;
}

static double of_group(const char *folder, size_t length, bool unified)
{
    double limit, used;
    const bool known = groups_read(folder, length, unified ? "memory.max" : "memory.limit_in_bytes", 1, &limit) &&
                       groups_read(folder, length, unified ? "memory.current" : "memory.usage_in_bytes", 1, &used);
    return known ? fmax(limit - used + unused_files(folder, length), 0) : INFINITY;
}

uint64_t memory_available(const char *root)
{
    const double least = fmin(of_machine(root), groups_least(root, "memory", of_group));
    return least < 0x1p63 ? (uint64_t)least : UINT64_MAX;
}

size_t memory_processes(uint64_t available_bytes, size_t running, uint64_t process_bytes)
{
    const double held = (double)running * (double)process_bytes;
    const double fit = process_bytes ? ((double)available_bytes + held) / 2 / (double)process_bytes : INFINITY;
    return fit < 1 ? 1 : fit < (double)SIZE_MAX ? (size_t)fit : SIZE_MAX;
}
