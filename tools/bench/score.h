/* The score of Willemsen, Schoonhoven, Filipovič, Tørring, van Nieuwpoort and van Werkhoven, "A methodology for
 * comparing optimization algorithms for auto-tuning" (Future Generation Computer Systems, 2024). It equals that of
 * their package autotuning_methodology 1.1 with its defaults. The score is the share of the distance between random
 * search and the optimum that a strategy gains, averaged over the time of random search. A score of 1 is the optimum at
 * once, 0 is as good as random search, and a negative score is worse.
 *
 * The baseline is calculated: after M draws without replacement out of N values, the best has the expected rank
 * M (N + 1) / (M + 1), counted from the worst (their equation 6). Time becomes M through the mean time of an
 * evaluation. The score uses SCORE_POINTS equidistant moments. The first and the last (the budget) are the moments at
 * which the baseline has covered 1% and 95% of the distance from the median to the optimum. The median time of an
 * evaluation converts these numbers of evaluations to times.
 *
 * Evaluations end at different moments in each run: the curve of a strategy is an isotonic regression of the rank of
 * the best so far over time, on the evaluations of all runs. */
#ifndef CUTUNE_TOOLS_BENCH_SCORE_H
#define CUTUNE_TOOLS_BENCH_SCORE_H

#include <stddef.h>
#include <stdint.h>

enum { SCORE_POINTS = 1000 };

/* A search space. */
struct score_space {
    const double *values; /* of the feasible configurations, ascending */
    size_t count;         /* at least one */
    double mean_s;        /* of an evaluation of a feasible configuration, plus that of a failing one x their share */
    double median_s;      /* of all evaluations */
};

/* State of a run at the end of an evaluation. */
struct score_observation {
    double at_s;   /* since the run's start */
    uint32_t rank; /* index of the best so far in space->values; 0: the optimum */
};

/* Evaluations of the baseline until it has covered `part` of the distance from the median to the optimum. If that is
 * the optimum, and `part` is below 1: until just before the optimum. */
size_t score_evaluations(const struct score_space *space, double part);
/* Value of the baseline at a moment. */
double score_baseline(const struct score_space *space, double at_s);
/* First and last moment of the score, at least two evaluations apart. Observations up to a tenth outside of them count
 * in the regression, so that runs should last until 1.1 times the last moment. */
void score_range(const struct score_space *space, double *start_s, double *end_s);

/* Score of a strategy on one space. `observations`, sorted by time, are those of all runs from their first feasible
 * configuration. From `last_s` on the curve is constant, since too few runs were longer. NaN if no observation counts
 * or memory is out. */
double score(const struct score_space *space, struct score_observation *observations, size_t count, double last_s);

#endif
