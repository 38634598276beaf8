/* Rules of the kind SHAPE: the part of the device that the launch uses. */
#include "analyse/launch_numbers.h"
#include "analyse/rule_functions.h"

#include <math.h>

/* ---- The shape of the launch ---- */

/* Returns the gain of more resident warps: throughput follows them until a resource is full (Little's law). */
static double by_residence(const struct rule_pair *pair, double ratio)
{
    return share_of(1 - fmax(ratio, or_zero(launch_busiest(pair->slow))));
}

/* Threshold: resident warps of the slow one over those of the fast one, or active multiprocessors. */
double rule_few_blocks_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double ratio = launch_resident(s) / launch_resident(f), active = s->sm_active / f->sm_active;
    if (!(s->waves < 1) || !(s->blocks < f->blocks))
        return 0;
    return fmax(ratio <= threshold ? by_residence(pair, ratio) : 0, active <= threshold ? share_of(1 - active) : 0);
}

double rule_few_blocks_code(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double ratio = launch_resident_possible(s) / launch_resident_possible(f);
    double active = fmin(s->blocks / s->sm_count, 1) / fmin(f->blocks / f->sm_count, 1);
    if (!(s->waves < 1) || !(s->blocks < f->blocks))
        return 0;
    return fmin(ratio, active) <= threshold ? share_of(1 - fmin(ratio, active)) : 0;
}

/* Threshold: the difference of the filled shares of waves. */
double rule_tail_code(const struct rule_pair *pair, double threshold)
{
    double slow = launch_filled(pair->slow), fast = launch_filled(pair->fast);
    return fast - slow >= threshold ? share_of(1 - slow / fast) : 0;
}

/* Counters limit the cost to the time in which the device is not full. */
double rule_tail_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double empty =
        1 - launch_resident(s) / launch_resident_possible(s) / (launch_resident(f) / launch_resident_possible(f));
    double cost = rule_tail_code(pair, threshold);
    return isnan(empty) ? cost : fmin(cost, share_of(empty));
}

enum limiter { BY_NOTHING, BY_REGISTERS, BY_SHARED, BY_BLOCK_SIZE };

/* Returns the resident threads of a multiprocessor for blocks of the slow one with this many threads, and resources
 * that allow this many blocks. */
static double residents(double threads, double by_registers, double by_shared, double by_warps, double most)
{
    return threads * fmax(1, fmin(fmin(floor(by_registers), floor(by_shared)), fmin(floor(by_warps), most)));
}

/* Returns the property of the fast one that increases the resident warps of the slow one most: registers, shared memory
 * or block size. */
static enum limiter limiter(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    if (!(launch_resident_possible(s) / launch_resident_possible(f) <= threshold))
        return BY_NOTHING;
    if (s->waves < 1) /* the grid limits: by its blocks (another rule), or by their size */
        return s->threads < f->threads && s->blocks >= f->blocks ? BY_BLOCK_SIZE : BY_NOTHING;
    double registers = s->blocks_sm_registers, shared = s->blocks_sm_shared, warps = s->blocks_sm_warps;
    double most = s->blocks_sm_most, fewer = f->blocks_sm_registers * f->threads / s->threads;
    double smaller = f->blocks_sm_registers * f->registers / s->registers;
    const double now = residents(s->threads, registers, shared, warps, most);
    const double with[] = {[BY_NOTHING] = 1.05 * now,
                           [BY_REGISTERS] = residents(s->threads, fewer, shared, warps, most),
                           [BY_SHARED] = residents(s->threads, registers, f->blocks_sm_shared, warps, most),
                           [BY_BLOCK_SIZE] = residents(f->threads, smaller, shared, f->blocks_sm_warps, most)};
    enum limiter best = BY_NOTHING;
    for (enum limiter by = BY_REGISTERS; by <= BY_BLOCK_SIZE; by++)
        if (with[by] > with[best])
            best = by;
    return best;
}

static double occupancy_counters(const struct rule_pair *pair, double threshold, enum limiter of)
{
    double ratio = launch_resident(pair->slow) / launch_resident(pair->fast);
    return limiter(pair, threshold) == of && ratio <= 0.95 ? by_residence(pair, ratio) : 0;
}

static double occupancy_code(const struct rule_pair *pair, double threshold, enum limiter of)
{
    double ratio = launch_resident_possible(pair->slow) / launch_resident_possible(pair->fast);
    return limiter(pair, threshold) == of ? share_of(1 - ratio) : 0;
}

/* Threshold: possible resident warps of the slow one over those of the fast one. */
double rule_occupancy_registers_counters(const struct rule_pair *pair, double threshold)
{
    return occupancy_counters(pair, threshold, BY_REGISTERS);
}

double rule_occupancy_registers_code(const struct rule_pair *pair, double threshold)
{
    return occupancy_code(pair, threshold, BY_REGISTERS);
}

double rule_occupancy_shared_counters(const struct rule_pair *pair, double threshold)
{
    return occupancy_counters(pair, threshold, BY_SHARED);
}

double rule_occupancy_shared_code(const struct rule_pair *pair, double threshold)
{
    return occupancy_code(pair, threshold, BY_SHARED);
}

double rule_occupancy_block_size_counters(const struct rule_pair *pair, double threshold)
{
    return occupancy_counters(pair, threshold, BY_BLOCK_SIZE);
}

double rule_occupancy_block_size_code(const struct rule_pair *pair, double threshold)
{
    return occupancy_code(pair, threshold, BY_BLOCK_SIZE);
}
