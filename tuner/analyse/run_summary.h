/* A run in few numbers, for charts and tables whose size does not grow with the run. */
#ifndef CUTUNE_ANALYSE_RUN_SUMMARY_H
#define CUTUNE_ANALYSE_RUN_SUMMARY_H

#include "analyse/comparison.h"

/* ---- Convergence: the best time so far ---- */

struct run_summary_step {
    size_t evaluation; /* from 1, in the order of the file: by the first row of each configuration */
    double value;
    enum proposer proposer;
};
/* The evaluations that were better than all before, by their times in the search and without those that failed later,
 * at most `room` (at least 2): of more, evenly chosen ones and the last. Returns how many were written; *total is how
 * many evaluations there are. */
size_t run_summary_convergence(const struct comparison *comparison, size_t run, struct run_summary_step *steps,
                               size_t room, size_t *total);

/* How many winners of other devices or sizes the run took from a database to begin with (struct run_setup's `first`),
 * as far as it says so, and which of them is fastest; COMPARISON_NONE: none has a time. */
size_t run_summary_warm_start(const struct comparison *comparison, size_t run, size_t *fastest);

/* ---- Distribution of the times ---- */

enum { RUN_SUMMARY_BINS = 40 };
struct run_summary_histogram {
    double low, high; /* bins divide log(value) evenly; NaN: no value */
    size_t bins;      /* 1 when all times are equal, else RUN_SUMMARY_BINS */
    size_t timed[RUN_SUMMARY_BINS], early[RUN_SUMMARY_BINS];
};
void run_summary_histogram(const struct comparison *comparison, size_t run, struct run_summary_histogram *histogram);
/* Where a bin begins; bin `bins` is the end. */
double run_summary_edge(const struct run_summary_histogram *histogram, size_t bin);

/* Times of the run at `room` (at least 2) evenly spaced ranks, from the fastest to the slowest; fewer when there are
 * fewer. Returns how many, or -1 when memory is out. */
long run_summary_ranks(const struct comparison *comparison, size_t run, double *values, size_t room);

/* ---- What a parameter does ---- */

enum { RUN_SUMMARY_GROUPS = 32 };
/* Values of a parameter, each for itself when there are at most RUN_SUMMARY_GROUPS, else neighbours together. */
struct run_summary_group {
    uint32_t first, last;            /* values */
    size_t timed, failed;            /* configurations */
    double best_value, median_value; /* NaN: none timed */
};
/* The groups without their times: `first` and `last` of groups[RUN_SUMMARY_GROUPS]; returns how many. */
int run_summary_groups(const struct comparison *comparison, size_t parameter, struct run_summary_group *groups);
/* The same with all of it, or -1 when memory is out. */
int run_summary_parameter(const struct comparison *comparison, size_t run, size_t parameter,
                          struct run_summary_group *groups);
/* Best time at each pair of groups of two parameters; NaN: none. */
void run_summary_pair(const struct comparison *comparison, size_t run, size_t one, size_t other,
                      double best_value[RUN_SUMMARY_GROUPS][RUN_SUMMARY_GROUPS]);

/* ---- What has no time, and why ---- */

struct run_summary_reason {
    enum status status;
    size_t count;         /* configurations whose messages differ in numbers only */
    size_t configuration; /* the first of them */
    const char *message;  /* its */
};
/* The most frequent reasons of a status first, at most `room`; *others is how many configurations of that status have
 * another one. Returns how many reasons were written, or -1 when memory is out. */
long run_summary_reasons(const struct comparison *comparison, size_t run, enum status status,
                         struct run_summary_reason *reasons, size_t room, size_t *others);

/* ---- The best configurations ---- */

/* The best of a run, then the fastest that were timed to the end, at most `room`. Returns how many, or -1 when memory
 * is out. */
long run_summary_top(const struct comparison *comparison, size_t run, size_t *configurations, size_t room);

#endif
