/* A power cap that comes with load and goes with rest. */
#include "fake_private.h"

static double load_ns;    /* of the device, as of the point in time below */
static int64_t loaded_ns; /* end of the last kernel */

/* Rest takes the load away: cap_rest_ns as much as cap_load_ns. */
static double load_at(int64_t now_ns)
{
    double rested_ns = now_ns > loaded_ns ? (double)(now_ns - loaded_ns) : 0;
    double left_ns = load_ns - rested_ns * (double)fake.cap_load_ns / (double)fake.cap_rest_ns;
    return left_ns > 0 ? left_ns : 0;
}

bool fake_at_cap(int64_t now_ns)
{
    return fake.cap_mhz && load_at(now_ns) > (double)fake.cap_load_ns;
}

void fake_load(int64_t begin_ns, int64_t end_ns, double share)
{
    if (!fake.cap_mhz)
        return;
    double most_ns = 2 * (double)fake.cap_load_ns;
    load_ns = load_at(begin_ns) + share * (double)(end_ns - begin_ns);
    load_ns = load_ns < most_ns ? load_ns : most_ns;
    loaded_ns = end_ns;
}

void fake_power_forget(void)
{
    load_ns = 0;
    loaded_ns = 0;
}
