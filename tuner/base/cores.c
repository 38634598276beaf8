#include "base/cores.h"

#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { PROCESSORS_MAX = 1 << 20, FILE_BYTES_MAX = 1 << 16 };

static double of_affinity(void)
{
    int count = 0;
    /* The kernel refuses a mask with fewer bits than its own. */
    for (size_t bits = 1024; bits <= PROCESSORS_MAX && !count; bits *= 2) {
        cpu_set_t *mask = CPU_ALLOC(bits);
        if (mask && sched_getaffinity(0, CPU_ALLOC_SIZE(bits), mask) == 0)
            count = CPU_COUNT_S(CPU_ALLOC_SIZE(bits), mask);
        CPU_FREE(mask);
    }
    return count ? (double)count : INFINITY;
}

/* Reads a file of `count` numbers. "max" is not a number. */
static bool read_numbers(const char *path, size_t count, double *numbers)
{
    struct text text = {0};
    bool read = file_read(path, FILE_BYTES_MAX, &text, NULL) == 0;
    const char *at = read ? text_string(&text) : "";
    for (size_t i = 0; i < count && read; i++) {
        char *end;
        numbers[i] = (double)strtoll(at, &end, 10);
        read = end != at;
        at = end;
    }
    text_free(&text);
    return read;
}

/* The processors that the quota of a control group keeps busy; INFINITY without a quota. */
static double of_group(const char *folder, size_t length, bool unified)
{
    double quota = 0, period = 0, numbers[2];
    struct text path = {0};
    bool known;
    if (unified) {
        text_printf(&path, "%.*s/cpu.max", (int)length, folder);
        known = read_numbers(text_string(&path), 2, numbers);
        quota = numbers[0];
        period = numbers[1];
    } else {
        text_printf(&path, "%.*s/cpu.cfs_quota_us", (int)length, folder);
        known = read_numbers(text_string(&path), 1, &quota);
        text_clear(&path);
        text_printf(&path, "%.*s/cpu.cfs_period_us", (int)length, folder);
        known = known && read_numbers(text_string(&path), 1, &period);
    }
    text_free(&path);
    return known && quota > 0 && period > 0 ? quota / period : INFINITY;
}

/* The least of a group and those above it. A container may see its own group as the top one, under the path that it
 * has outside. */
static double of_groups(const char *top, const char *path, bool unified)
{
    struct text folder = {0};
    double least = INFINITY;
    text_printf(&folder, "%s%s", top, path);
    for (size_t length = folder.length; !folder.failed && length >= strlen(top); length--)
        if (length == folder.length || folder.bytes[length] == '/')
            least = fmin(least, of_group(folder.bytes, length, unified));
    text_free(&folder);
    return least;
}

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

/* The limit of one line of /proc/self/cgroup, ID:CONTROLLERS:PATH. The unified hierarchy has no controllers there. */
static double of_line(const char *root, char *line)
{
    static const char *const unified[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
    static const char *const own[] = {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"};
    char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
    double least = INFINITY;
    if (!path)
        return INFINITY;
    *path++ = '\0';
    bool is_unified = *++controllers == '\0';
    if (!is_unified && !has_word(controllers, "cpu"))
        return INFINITY;
    for (size_t i = 0; i < 2; i++) {
        struct text top = {0};
        text_printf(&top, "%s%s", root, (is_unified ? unified : own)[i]);
        least = fmin(least, of_groups(text_string(&top), path, is_unified));
        text_free(&top);
    }
    return least;
}

size_t cores_usable(const char *root)
{
    struct text path = {0}, groups = {0};
    double least = of_affinity();
    text_printf(&path, "%s/proc/self/cgroup", root);
    if (file_read(text_string(&path), FILE_BYTES_MAX, &groups, NULL) == 0) {
        char *rest = groups.bytes, *line;
        while ((line = strsep(&rest, "\n")))
            least = fmin(least, of_line(root, line));
    }
    text_free(&groups);
    text_free(&path);
    return isfinite(least) && least > 1 ? (size_t)ceil(least) : 1;
}
