#include "commands/judge_floor.h"

#include <math.h>

/* Reads alone are faster than the copies that the ceiling is measured with, and ceilings vary from run to run: no
 * honest kernel is this much faster. */
static const double allowance = 1.25;

/* The L2 may keep traffic from device memory during a run: as many bytes as it holds, of those that are read and of
 * those that are written. The same holds with a warm and with a flushed L2. */
static double traffic_bytes(const struct judge_floor *floor, double bytes)
{
    return bytes - 2 * floor->l2_bytes;
}

struct judge_floor judge_floor_of(const struct space *space, const struct provenance *provenance)
{
    double in_bytes, out_bytes;
    space_transfers(space, &in_bytes, &out_bytes);
    return (struct judge_floor){.known = in_bytes == 0 && out_bytes == 0 && provenance->ceilings.copy > 0,
                                .l2_bytes = (double)provenance->device.l2_bytes,
                                .copy = provenance->ceilings.copy,
                                .bytes = provenance->bytes};
}

bool judge_floor_explain(const struct judge_floor *floor, const struct measurement *measurement, struct text *why)
{
    const bool per_work = measurement_objective(measurement)->per_work;
    const double time_ns = per_work ? measurement->run_ns : measurement->value;
    const double bytes = isnan(floor->bytes) ? measurement->bytes : floor->bytes;
    const double least_ns = traffic_bytes(floor, bytes) / (allowance * floor->copy) * 1e9;
    char time[32], least[32];
    if (!floor->known || !(time_ns < least_ns))
        return false;
    text_printf(why,
                "%sbelow the floor: %s is less than the %s that %.6g bytes take at %.2f times the copy ceiling, beyond "
                "what the L2 holds: a cheat, or a wrong `bytes` statement",
                why->length ? "; " : "", format_time(time, sizeof time, time_ns),
                format_time(least, sizeof least, least_ns), bytes, allowance);
    return true;
}
