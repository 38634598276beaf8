/* A run in few numbers, for charts and tables whose size does not grow with the run. */
#ifndef CUTUNE_ANALYSE_DIGEST_H
#define CUTUNE_ANALYSE_DIGEST_H

#include "analyse/comparison.h"

/* ---- Convergence: the best time so far ---- */

struct digest_step {
    size_t evaluation; /* from 1, in the order of the file: by the first row of each configuration */
    double time_ns;
    enum proposer proposer;
};
/* The evaluations that were better than all before, by their times in the search and without those that failed later,
 * at most `room` (at least 2): of more, evenly chosen ones and the last. Returns how many were written; *total is how
 * many evaluations there are. */
size_t digest_convergence(const struct comparison *comparison, size_t run, struct digest_step *steps, size_t room,
                          size_t *total);

/* How many winners of other devices or sizes the run took from a database to begin with (struct run_setup's `first`),
 * as far as it says so, and which of them is fastest; COMPARISON_NONE: none has a time. */
size_t digest_warm_start(const struct comparison *comparison, size_t run, size_t *fastest);

/* ---- Distribution of the times ---- */

enum { DIGEST_BINS = 40 };
struct digest_histogram {
    double low_ns, high_ns; /* bins divide log(time) evenly from the fastest to the slowest; NaN: no time */
    size_t bins;            /* 1 when all times are equal, else DIGEST_BINS */
    size_t timed[DIGEST_BINS], early[DIGEST_BINS];
};
void digest_histogram(const struct comparison *comparison, size_t run, struct digest_histogram *histogram);
/* Where a bin begins; bin `bins` is the end. */
double digest_edge(const struct digest_histogram *histogram, size_t bin);

/* Times of the run at `room` (at least 2) evenly spaced ranks, from the fastest to the slowest; fewer when there are
 * fewer. Returns how many, or -1 when memory is out. */
long digest_ranks(const struct comparison *comparison, size_t run, double *times_ns, size_t room);

/* ---- What a parameter does ---- */

enum { DIGEST_GROUPS = 32 };
/* Values of a parameter, each for itself when there are at most DIGEST_GROUPS, else neighbours together. */
struct digest_group {
    uint32_t first, last;      /* values */
    size_t timed, failed;      /* configurations */
    double best_ns, median_ns; /* NaN: none timed */
};
/* The groups without their times: `first` and `last` of groups[DIGEST_GROUPS]; returns how many. */
int digest_groups(const struct comparison *comparison, size_t parameter, struct digest_group *groups);
/* The same with all of it, or -1 when memory is out. */
int digest_parameter(const struct comparison *comparison, size_t run, size_t parameter, struct digest_group *groups);
/* Best time at each pair of groups of two parameters; NaN: none. */
void digest_pair(const struct comparison *comparison, size_t run, size_t one, size_t other,
                 double best_ns[DIGEST_GROUPS][DIGEST_GROUPS]);

/* ---- What has no time, and why ---- */

struct digest_reason {
    enum status status;
    size_t count;         /* configurations whose messages differ in numbers only */
    size_t configuration; /* the first of them */
    const char *message;  /* its */
};
/* The most frequent reasons of a status first, at most `room`; *others is how many configurations of that status have
 * another one. Returns how many reasons were written, or -1 when memory is out. */
long digest_reasons(const struct comparison *comparison, size_t run, enum status status, struct digest_reason *reasons,
                    size_t room, size_t *others);

/* ---- The best configurations ---- */

/* The best of a run, then the fastest that were timed to the end, at most `room`. Returns how many, or -1 when memory
 * is out. */
long digest_top(const struct comparison *comparison, size_t run, size_t *configurations, size_t room);

#endif
