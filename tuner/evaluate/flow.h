/* Configurations as they flow through compilers and devices: how many in flight keep the devices busy, and how long. */
#ifndef CUTUNE_EVALUATE_FLOW_H
#define CUTUNE_EVALUATE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/measurement.h"

/* FLOW_LATEST: configurations that the means are about. */
enum { FLOW_LATEST = 32 };

struct flow {
    size_t compilers, devices;     /* at least 1 each; set by the owner */
    uint64_t count;                /* finished configurations */
    double compile_ns, measure_ns; /* their mean times, the latest weighing most; 0 where not compiled or measured */
    double replace_ns;             /* likewise, from the end of one until another comes in its place */
    uint64_t replaced;
    size_t vacant; /* ends that nothing has replaced; of the latest, vacated_ns has the times, the latest last */
    int64_t vacated_ns[FLOW_LATEST];
};

/* Notes what a finished configuration took. */
void flow_note(struct flow *flow, const struct measurement *measurement);

/* Notes that a finished configuration has left, and that another has come in its place. Without these, replacing takes
 * no time. */
void flow_vacate(struct flow *flow, int64_t now_ns);
void flow_replace(struct flow *flow, int64_t now_ns);

/* The most configurations to have in flight. `learns_at_once`: for a strategy with an opening (struct strategy_ops): no
 * more than keep the bottleneck busy, by Little's law: devices x (time until replaced + compile time + measure time) /
 * measure time, but all compilers where these are the bottleneck, and a small reserve, since times vary. Otherwise a
 * deep queue. Never more than flow_deepest. */
size_t flow_depth(const struct flow *flow, bool learns_at_once);
size_t flow_deepest(const struct flow *flow);

/* How long configurations that take so many seconds of compiling and of measuring in all keep the bottleneck busy. */
double flow_busy_s(const struct flow *flow, double compile_s, double measure_s);

#endif
