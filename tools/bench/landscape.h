/* A recorded landscape: every configuration of a journal with its time, as a set to search. */
#ifndef CUTUNE_TOOLS_BENCH_LANDSCAPE_H
#define CUTUNE_TOOLS_BENCH_LANDSCAPE_H

#include "base/error.h"
#include "space/valid_set.h"

struct landscape {
    const char *name; /* of the file, without folder and suffix */
    struct space *space;
    struct valid_set *set;
    size_t count;
    double *time_ns;          /* by index; NaN: failed. If stopped early, the time so far */
    double *cost_s;           /* by index: cost of an evaluation; 1 each if the journal does not record it */
    double *compiler_metrics; /* by enum compiler_metric and index; NaN: unknown */
    size_t worked;
    double *sorted_ns; /* of the configurations that worked */
    double optimum_ns, median_ns, worst_ns, mean_cost_s;
    double random_evaluations; /* evaluations that random search needs on average to reach the target: the optimum + 5%
                                  of (median - optimum) */
};

int landscape_open(struct landscape **landscape, const char *path, struct error *error);
void landscape_close(struct landscape *landscape); /* may be NULL */

/* The expected best time after this many evaluations of random search without repetition, interpolated between whole
 * numbers. */
double landscape_random_ns(const struct landscape *landscape, double evaluations);

#endif
