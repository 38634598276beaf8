/* A summary of a run for charts and tables; its size does not grow with the run. */
#ifndef CUTUNE_ANALYSE_RUN_SUMMARY_H
#define CUTUNE_ANALYSE_RUN_SUMMARY_H

#include "analyse/comparison.h"
#include "analyse/importance.h"

/* ---- Convergence: the best time so far ---- */

struct run_summary_step {
    size_t evaluation; /* from 1, in the order of first rows */
    size_t configuration;
    double value;
    enum proposer proposer;
};
/* Finds the evaluations that improved on all earlier ones, by their times in the search, without those that failed
 * later. Writes at most `room` (at least 2); of more, evenly spaced ones and the last. Returns how many were written;
 * sets *total to the number of evaluations. Returns 0 if the rows may not be in the order of a search: those of a
 * database, and of a journal without options, such as an imported one. */
size_t run_summary_convergence(const struct comparison *comparison, size_t run, struct run_summary_step *steps,
                               size_t room, size_t *total);

/* Returns how many winners of other devices or sizes the journal names as taken from a database at the start (`first`
 * of struct run_setup). *fastest: the fastest of them; COMPARISON_NONE: none has a time. */
size_t run_summary_warm_start(const struct comparison *comparison, size_t run, size_t *fastest);

/* ---- Distribution of the times ---- */

enum { RUN_SUMMARY_BINS = 40 };
struct run_summary_histogram {
    double low, high; /* bins divide log(value) evenly; NaN: no value */
    size_t bins;      /* 1 if all times are equal, else RUN_SUMMARY_BINS */
    size_t timed[RUN_SUMMARY_BINS], early[RUN_SUMMARY_BINS];
};
void run_summary_histogram(const struct comparison *comparison, size_t run, struct run_summary_histogram *histogram);
/* Returns the lower edge of a bin; the edge of bin `bins` is the end. */
double run_summary_edge(const struct run_summary_histogram *histogram, size_t bin);

/* Writes the times of the run at `room` (at least 2) evenly spaced ranks, from the fastest to the slowest; all if the
 * run has fewer. Returns how many, or -1 if memory is out. */
long run_summary_ranks(const struct comparison *comparison, size_t run, double *values, size_t room);

/* ---- Effect of a parameter ---- */

enum { RUN_SUMMARY_GROUPS = 32 };
/* Values of a parameter: a group each for at most RUN_SUMMARY_GROUPS values; of more, neighbours share a group. */
struct run_summary_group {
    uint32_t first, last;            /* values */
    size_t timed, failed;            /* configurations */
    double best_value, median_value; /* NaN: none timed */
};
/* Sets `first` and `last` of groups[RUN_SUMMARY_GROUPS], without times; returns the number of groups. */
int run_summary_groups(const struct comparison *comparison, size_t parameter, struct run_summary_group *groups);
/* Sets all members of the groups; returns their number, or -1 if memory is out. */
int run_summary_parameter(const struct comparison *comparison, size_t run, size_t parameter,
                          struct run_summary_group *groups);
/* Finds the best time at each pair of groups of two parameters; NaN: none. */
void run_summary_pair(const struct comparison *comparison, size_t run, size_t one, size_t other,
                      double best_value[RUN_SUMMARY_GROUPS][RUN_SUMMARY_GROUPS]);

/* ---- Effect of the recorded properties of the kernels ---- */

enum run_summary_fact {
    RUN_SUMMARY_REGISTERS, /* per thread */
    RUN_SUMMARY_OCCUPANCY, /* 0..1 */
    RUN_SUMMARY_CLOCK,     /* MHz, the lowest seen */
    RUN_SUMMARY_FACTS
};
/* A value of a fact, or several neighbouring values. */
struct run_summary_level {
    double low, high; /* the fact's values */
    size_t timed;     /* configurations */
    double best_value, median_value;
};
/* Finds the times at each value of a fact, ascending; of more than RUN_SUMMARY_GROUPS values, neighbours share a level.
 * Returns the number of levels (0: the run does not record the fact), or -1 if memory is out. */
int run_summary_levels(const struct comparison *comparison, size_t run, enum run_summary_fact fact,
                       struct run_summary_level levels[RUN_SUMMARY_GROUPS]);

/* ---- Parameters that made the best faster than the default ---- */

enum { RUN_SUMMARY_CAUSES = 2 };
/* Finds the most important of the parameters in which the best differs from the default (of all parameters, if the
 * default is unknown). Writes the first, and the second if it matters at least half as much. Returns how many were
 * written; 0 if the importance is unknown or the forest explains less than half of the variance. */
size_t run_summary_causes(const struct comparison *comparison, size_t run, const struct importance *importance,
                          size_t parameters[RUN_SUMMARY_CAUSES]);

/* ---- Reasons of configurations without a time ---- */

struct run_summary_reason {
    enum status status;
    size_t count;         /* configurations whose messages differ only in numbers */
    size_t configuration; /* the first one */
    const char *message;  /* of the first one */
};
/* Finds the most frequent reasons of a status, at most `room`. Sets *others to the number of configurations of that
 * status with other reasons. Returns how many reasons were written, or -1 if memory is out. */
long run_summary_reasons(const struct comparison *comparison, size_t run, enum status status,
                         struct run_summary_reason *reasons, size_t room, size_t *others);

/* ---- The best configurations ---- */

/* Finds the best of a run, then the fastest that were timed completely, at most `room`. Returns how many, or -1 if
 * memory is out. */
long run_summary_top(const struct comparison *comparison, size_t run, size_t *configurations, size_t room);

#endif
