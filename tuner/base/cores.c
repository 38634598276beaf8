#include "base/cores.h"

#include <math.h>
#include <sched.h>

#include "base/groups.h"

enum { PROCESSORS_MAX = 1 << 20 };

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

/* The processors that the quota of a control group keeps busy. */
static double of_group(const char *folder, size_t length, bool unified)
{
    double numbers[2] = {0, 0};
    const bool known = unified ? groups_read(folder, length, "cpu.max", 2, numbers)
                               : groups_read(folder, length, "cpu.cfs_quota_us", 1, numbers) &&
                                     groups_read(folder, length, "cpu.cfs_period_us", 1, numbers + 1);
    return known && numbers[0] > 0 && numbers[1] > 0 ? numbers[0] / numbers[1] : INFINITY;
}

size_t cores_usable(const char *root)
{
    const double least = fmin(of_affinity(), groups_least(root, "cpu", of_group));
    return isfinite(least) && least > 1 ? (size_t)ceil(least) : 1;
}
