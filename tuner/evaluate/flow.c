#include "evaluate/flow.h"

#include <math.h>

/* LATEST: configurations that the means are about. AHEAD: compiled configurations that may wait for each device, in a
 * deep queue. */
enum { LATEST = 32, AHEAD = 4 };
/* Compilations that take this many times the mean do not let a device wait. */
static const double margin = 1.5;

static double taken_ns(int64_t ns)
{
    return ns > 0 ? (double)ns : 0;
}

void flow_note(struct flow *flow, const struct measurement *measurement)
{
    double weight = 1.0 / (double)(flow->count < LATEST ? flow->count + 1 : LATEST);
    flow->count++;
    flow->compile_ns += weight * (taken_ns(measurement->compile_ns) - flow->compile_ns);
    flow->measure_ns += weight * (taken_ns(measurement->measure_ns) - flow->measure_ns);
}

size_t flow_deepest(const struct flow *flow)
{
    return 2 * flow->compilers + AHEAD * flow->devices;
}

size_t flow_depth(const struct flow *flow, bool learns_at_once)
{
    double devices = (double)flow->devices, compilers = (double)flow->compilers;
    if (!learns_at_once)
        return flow_deepest(flow);
    double compiling = devices * margin * flow->compile_ns;
    if (!flow->count || compiling >= compilers * flow->measure_ns)
        return flow->compilers + flow->devices;
    return flow->devices + (size_t)ceil(fmax(compiling / flow->measure_ns, 1));
}

double flow_effort_s(const struct flow *flow, const struct measurement *measurement)
{
    return (taken_ns(measurement->compile_ns) / (double)flow->compilers +
            taken_ns(measurement->measure_ns) / (double)flow->devices) *
           1e-9;
}

double flow_busy_s(const struct flow *flow, double compile_s, double measure_s)
{
    return fmax(compile_s / (double)flow->compilers, measure_s / (double)flow->devices);
}
