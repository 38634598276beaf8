/* The score of Willemsen, Schoonhoven, Filipovič, Tørring, van Nieuwpoort and van Werkhoven, "A methodology for
 * comparing optimization algorithms for auto-tuning" (Future Generation Computer Systems, 2024), as their package
 * autotuning_methodology 1.1 computes it with its defaults: how much of the distance between random search and the
 * optimum a strategy gains, averaged over the time that random search needs. 1: the optimum at once; 0: as good as
 * random search; negative: worse.
 *
 * The baseline is calculated: after M draws without replacement out of N values, the best has the expected rank
 * M (N + 1) / (M + 1), counted from the worst (their equation 6). Time becomes M through the mean time of an
 * evaluation. The score looks at SCORE_POINTS equidistant moments. They begin and end (the budget) where the baseline
 * has covered 1% and 95% of the distance from the median to the optimum; these numbers of evaluations become times
 * through the median time of an evaluation. Evaluations end at different moments in each run: the curve of a strategy
 * is an isotonic regression of the rank of the best so far over time, on the evaluations of all runs. */
#ifndef CUTUNE_TOOLS_BENCH_SCORE_H
#define CUTUNE_TOOLS_BENCH_SCORE_H

#include <stddef.h>
#include <stdint.h>

enum { SCORE_POINTS = 1000 };

/* A search space. */
struct score_space {
    const double *values; /* of the configurations that work, ascending */
    size_t count;         /* at least one */
    double mean_s;   /* of an evaluation: of a configuration that works, plus that of one that fails x their share */
    double median_s; /* of all evaluations */
};

/* The state of a run at the end of an evaluation. */
struct score_observation {
    double at_s;   /* since the run's start */
    uint32_t rank; /* of the best so far in space->values; 0: the optimum */
};

/* Evaluations of the baseline until it has covered `part` of the distance from the median to the optimum; until just
 * before the optimum if that is the optimum and `part` is below 1. */
size_t score_evaluations(const struct score_space *space, double part);
/* The baseline's value at a moment. */
double score_baseline(const struct score_space *space, double at_s);
/* The first and the last moment that the score looks at, at least two evaluations apart. Observations up to a tenth
 * outside of them count in the regression, so runs should last until 1.1 times the last one. */
void score_range(const struct score_space *space, double *start_s, double *end_s);

/* The score of a strategy on one space. `observations`, which are sorted by time, are those of all runs from their
 * first configuration that worked. From `last_s` on the curve is constant, since too few runs were longer. NaN if no
 * observation counts or memory is out. */
double score(const struct score_space *space, struct score_observation *observations, size_t count, double last_s);

#endif
