/* A recorded landscape: every configuration of a journal with its time, as a set to search. */
#ifndef CUTUNE_TOOLS_BENCH_LANDSCAPE_H
#define CUTUNE_TOOLS_BENCH_LANDSCAPE_H

#include "base/error.h"
#include "space/valid_set.h"

struct landscape {
    const char *name; /* of the file, without folder and ending */
    struct space *space;
    struct valid_set *set;
    size_t count;
    double *time_ns;          /* by index; NaN: failed. Of one that was stopped early, what it had come to */
    double *cost_s;           /* by index: what evaluating it takes; 1 each where the journal does not say */
    double *compiler_metrics; /* by enum compiler_metric and index; NaN: unknown */
    size_t worked;
    double *sorted_ns; /* of those that worked */
    double optimum_ns, median_ns, worst_ns, mean_cost_s;
    double random_evaluations; /* that random search needs, on average, to be within the target: the optimum + 5% of
                                  (median - optimum) */
};

int landscape_open(struct landscape **landscape, const char *path, struct error *error);
void landscape_close(struct landscape *landscape); /* may be NULL */

/* The expected best time after so many evaluations of random search without repetition; between whole numbers it is
 * interpolated. */
double landscape_random_ns(const struct landscape *landscape, double evaluations);

#endif
