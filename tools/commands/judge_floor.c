#include "commands/judge_floor.h"

#include <math.h>

#include "base/architecture.h"

/* Reads alone are faster than the copies that the ceiling is measured with, and ceilings vary from run to run: no
 * honest kernel is this much faster. */
static const double copy_allowance = 1.25;

/* Fast algorithms of matrix products need fewer operations than are stated: three levels of Strassen's two thirds. */
static const double needed_share = 0.5;

struct judge_floor judge_floor_of(const struct space *space, const struct provenance *provenance)
{
    double in_bytes, out_bytes;
    space_transfers(space, &in_bytes, &out_bytes);
    return (struct judge_floor){.l2_bytes = (double)provenance->device.l2_bytes,
                                .copy = in_bytes == 0 && out_bytes == 0 ? provenance->ceilings.copy : NAN,
                                .peak = architecture_peak(&provenance->device),
                                .bytes = provenance->bytes,
                                .flops = provenance->flops};
}

/* The L2 may keep traffic from device memory during a run: as many bytes as it holds, of those that are read and of
 * those that are written. The same holds with a warm and with a flushed L2. */
static double traffic_ns(const struct judge_floor *floor, double bytes)
{
    return (bytes - 2 * floor->l2_bytes) / (copy_allowance * floor->copy) * 1e9;
}

static double operations_ns(const struct judge_floor *floor, double flops)
{
    return needed_share * flops / floor->peak * 1e9;
}

bool judge_floor_explain(const struct judge_floor *floor, const struct measurement *measurement, struct text *why)
{
    const bool per_work = measurement_objective(measurement)->per_work;
    const double time_ns = per_work ? measurement->run_ns : measurement->value;
    const double bytes = isnan(floor->bytes) ? measurement->bytes : floor->bytes;
    const double flops = isnan(floor->flops) ? measurement->flops : floor->flops;
    const double by_bytes_ns = traffic_ns(floor, bytes), by_flops_ns = operations_ns(floor, flops);
    const double least_ns = fmax(by_bytes_ns, by_flops_ns); /* the known one, if one is unknown */
    char time[32], least[32], rate[32];
    if (!(time_ns < least_ns))
        return false;
    text_printf(why, "%sbelow the floor: %s is less than the %s that ", why->length ? "; " : "",
                format_time(time, sizeof time, time_ns), format_time(least, sizeof least, least_ns));
    if (least_ns == by_bytes_ns)
        text_printf(why, "%.6g bytes take at %.2f times the copy ceiling, beyond what the L2 holds", bytes,
                    copy_allowance);
    else
        text_printf(why, "half of %.6g operations take at %s, the highest rate of this device's tensor cores", flops,
                    format_flops(rate, sizeof rate, floor->peak));
    text_printf(why, ": a cheat, or a wrong `%s` statement", least_ns == by_bytes_ns ? "bytes" : "flops");
    return true;
}
