/* The score of Willemsen, Schoonhoven, Filipovič, Tørring, van Nieuwpoort and van Werkhoven, "A methodology for comparing
 * optimization algorithms for auto-tuning" (Future Generation Computer Systems, 2024): how much of the distance between
 * random search and the optimum a strategy gains, averaged over the time that random search needs. 1: the optimum at
 * once; 0: as good as random search; negative: worse. The settings are the defaults of the authors' package,
 * autotuning_methodology.
 *
 * The baseline is calculated: after M draws without replacement out of N values, the best has the expected rank
 * M (N + 1) / (M + 1), counted from the worst (their equation 6). Time becomes M through the mean time of an evaluation.
 * The score looks at SCORE_POINTS equidistant moments, from the one at which the baseline has covered half of the
 * distance from the median to the optimum to the one at which it has covered 95% of it (the budget). Evaluations end at
 * different moments in each run: the curve of a strategy is an isotonic regression of the rank of the best so far over
 * time, on the evaluations of all runs. */
#ifndef CUTUNE_TOOLS_BENCH_SCORE_H
#define CUTUNE_TOOLS_BENCH_SCORE_H

#include <stddef.h>
#include <stdint.h>

enum { SCORE_POINTS = 1000 };

/* A search space. */
struct score_space {
    const double *values; /* of the configurations that work, ascending */
    size_t count;         /* at least one */
    double evaluation_s;  /* mean time of an evaluation, with a share for the configurations that fail */
};

/* The state of a run at the end of an evaluation. */
struct score_observation {
    double at_s;   /* since the run's start */
    uint32_t rank; /* of the best so far in space->values; 0: the optimum */
};

/* Evaluations of the baseline until it has covered `part` of the distance from the median to the optimum. */
size_t score_evaluations(const struct score_space *space, double part);
/* The baseline's value at a moment. */
double score_baseline(const struct score_space *space, double at_s);
/* The first and the last moment that the score looks at. Observations up to a tenth outside of them count in the
 * regression, so runs should last until 1.1 times the last one. */
double score_start_s(const struct score_space *space);
double score_end_s(const struct score_space *space);

/* The score of a strategy on one space. `observations`, which are sorted by time, are those of all runs from their
 * first configuration that worked. From `last_s` on the curve is constant, since too few runs were longer. NaN if no
 * observation counts or memory is out. */
double score(const struct score_space *space, struct score_observation *observations, size_t count, double last_s);

#endif
