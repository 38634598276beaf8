/* The importance of each parameter for the time on one device: permutation importance. A random forest (forest.h)
 * learns log(time) from the parameters. Then the values of one parameter are permuted among rows that a tree has not
 * seen, and its error grows (Breiman, "Random Forests", Machine Learning 45, 2001). Half of that growth over the
 * variance of log(time) is the share of the variance that goes through the parameter, alone or together with others.
 * (Gregorutti, Michel and Saint-Pierre, "Correlation and variable importance in random forests", Statistics and
 * Computing 27, 2017.) An effect of several parameters counts for each of them, so the sum may exceed 1.
 *
 * Values are permuted only among rows that agree in the parameters tied to this one (bias-corrected Cramer's V above
 * 0.2). A parameter thus gets no credit for the effects of its companions, and few impossible configurations are
 * predicted (Strobl et al., "Conditional variable importance for random forests", BMC Bioinformatics 9:307, 2008).
 * Deterministic. */
#ifndef CUTUNE_ANALYSE_IMPORTANCE_H
#define CUTUNE_ANALYSE_IMPORTANCE_H

#include "analyse/comparison.h"
#include "base/work.h"

#define IMPORTANCE_METHOD                                                                                              \
    "conditional permutation importance of a random forest over log(time): Breiman 2001; Strobl et al. 2008"

enum { IMPORTANCE_TREES = 64, IMPORTANCE_ROWS_MIN = 20, IMPORTANCE_ROWS_MAX = 8192 };

struct importance {
    size_t rows;   /* timed configurations for learning: at most IMPORTANCE_ROWS_MAX, chosen at random */
    size_t timed;  /* number of timed configurations, including those stopped early, with their time so far */
    size_t failed; /* configurations without a time, left out */
    double fit; /* share of the variance that the forest explains on unseen rows; NaN, as are the shares: too few rows
                   or equal times */
    double *shares; /* by parameter, owned by the caller: share of the variance; 0 if the error does not grow */
};

/* `work`: takes IMPORTANCE_TREES steps; NULL: nobody listens. */
int importance_find(const struct comparison *comparison, size_t run, struct importance *importance, struct work *work,
                    struct error *error);

#endif
