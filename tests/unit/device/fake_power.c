/* A power cap that comes with load and goes with rest, and the board's energy. */
#include "fake_private.h"

#include <string.h>

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

/* ---- The board's energy ---- */

/* The counter advances in steps of this length. */
enum { STEPS = 1 << 16 };
static const int64_t step_ns = 100000000;
static double steps_mj[STEPS]; /* of kernels, by step of virtual time */

void fake_heat(int64_t begin_ns, int64_t end_ns, double watts)
{
    while (begin_ns < end_ns && begin_ns / step_ns < STEPS) {
        int64_t step = begin_ns / step_ns, until_ns = (step + 1) * step_ns < end_ns ? (step + 1) * step_ns : end_ns;
        steps_mj[step] += watts * (double)(until_ns - begin_ns) * 1e-6;
        begin_ns = until_ns;
    }
}

/* A deviation that depends on the step alone, between -1 and 1. */
static double noise_of(int64_t step)
{
    uint64_t bits = (uint64_t)step * 0x9e3779b97f4a7c15u + fake.watts_seed;
    bits ^= bits >> 31;
    bits *= 0xbf58476d1ce4e5b9u;
    return (double)(bits >> 40) / (double)(1 << 23) - 1;
}

unsigned long long fake_millijoules(int board, int64_t now_ns)
{
    const double idle_w = fake.watts + (double)board * fake.watts_each;
    const double own = board == fake.device;
    double sum_mj = 0;
    fake_finish(); /* the energy of work that the device has begun by now */
    for (int64_t step = 0; step < now_ns / step_ns && step < STEPS; step++)
        sum_mj += (own * steps_mj[step] + 100.0 * idle_w) * (1 + 1e-3 * fake.watts_noise * noise_of(step));
    return (unsigned long long)sum_mj;
}

void fake_power_forget(void)
{
    memset(steps_mj, 0, sizeof steps_mj);
    load_ns = 0;
    loaded_ns = 0;
}
