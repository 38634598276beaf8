/* Queue depth: the number of configurations in flight that keeps compilers and devices busy, and the time that they
 * take. */
#ifndef CUTUNE_EVALUATE_QUEUE_DEPTH_H
#define CUTUNE_EVALUATE_QUEUE_DEPTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/measurement.h"

/* QUEUE_DEPTH_LATEST: number of configurations in the means */
enum { QUEUE_DEPTH_LATEST = 32 };

struct queue_depth {
    size_t compilers, devices;     /* at least 1 each; set by the owner */
    uint64_t count;                /* finished configurations */
    double compile_ns, measure_ns; /* mean times, weighted towards the latest; 0 for phases that a configuration
                                      skips */
    double replace_ns;             /* mean time from the end of a configuration until another replaces it */
    uint64_t replaced;
    size_t vacant; /* number of ends without a replacement; vacated_ns has the times of the latest, in order */
    int64_t vacated_ns[QUEUE_DEPTH_LATEST];
};

/* Records the times of a finished configuration. */
void queue_depth_note(struct queue_depth *queue, const struct measurement *measurement);

/* Record that a finished configuration has left, and that another has replaced it. Without these calls, replacing takes
 * no time. */
void queue_depth_vacate(struct queue_depth *queue, int64_t now_ns);
void queue_depth_replace(struct queue_depth *queue, int64_t now_ns);

/* Returns the most configurations to have in flight, at most queue_depth_deepest. `learns_at_once`: for a strategy with
 * an opening (struct strategy_ops), just enough to keep the bottleneck busy. By Little's law that is devices x (replace
 * time + compile time + measure time) / measure time, with a small reserve, since times vary; if the compilers are the
 * bottleneck, all of them. Other strategies get a deep queue. */
size_t queue_depth_wanted(const struct queue_depth *queue, bool learns_at_once);
size_t queue_depth_deepest(const struct queue_depth *queue);

/* Returns the time for which configurations with so many seconds of compiling and measuring in total keep the
 * bottleneck busy. */
double queue_depth_busy_s(const struct queue_depth *queue, double compile_s, double measure_s);

#endif
