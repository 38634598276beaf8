#include "evaluate/flow.h"

#include <math.h>
#include <string.h>

/* AHEAD: compiled configurations that may wait for each device in a deep queue */
enum { AHEAD = 4 };
/* Reserve: compilations and replacements up to this many times the mean do not idle a device. */
static const double margin = 1.5;

static double taken_ns(int64_t ns)
{
    return ns > 0 ? (double)ns : 0;
}

/* Adds a time to a mean of `count` times. */
static void count_in(double *mean_ns, uint64_t count, double ns)
{
    double weight = 1.0 / (double)(count < FLOW_LATEST ? count + 1 : FLOW_LATEST);
    *mean_ns += weight * (ns - *mean_ns);
}

void flow_note(struct flow *flow, const struct measurement *measurement)
{
    count_in(&flow->compile_ns, flow->count, taken_ns(measurement->compile_ns));
    count_in(&flow->measure_ns, flow->count, taken_ns(measurement->measure_ns));
    flow->count++;
}

void flow_vacate(struct flow *flow, int64_t now_ns)
{
    if (flow->vacant == FLOW_LATEST)
        memmove(flow->vacated_ns, flow->vacated_ns + 1, --flow->vacant * sizeof *flow->vacated_ns);
    flow->vacated_ns[flow->vacant++] = now_ns;
}

/* Replaces the latest vacancy first, so that the oldest stays vacant when the depth falls. A replacement counts at most
 * as an evaluation: a longer pause was not the search's. */
void flow_replace(struct flow *flow, int64_t now_ns)
{
    if (!flow->vacant)
        return;
    double took_ns = (double)(now_ns - flow->vacated_ns[--flow->vacant]);
    count_in(&flow->replace_ns, flow->replaced++, fmin(took_ns, flow->measure_ns));
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
    double compiling = devices * margin * flow->compile_ns, replacing = devices * margin * flow->replace_ns;
    if (!flow->count || compiling >= compilers * flow->measure_ns)
        return flow->compilers + flow->devices;
    size_t depth = flow->devices + (size_t)ceil(fmax((compiling + replacing) / flow->measure_ns, 1));
    return depth < flow_deepest(flow) ? depth : flow_deepest(flow);
}

double flow_busy_s(const struct flow *flow, double compile_s, double measure_s)
{
    return fmax(compile_s / (double)flow->compilers, measure_s / (double)flow->devices);
}
