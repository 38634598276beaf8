/* A recorded landscape: every configuration of a journal with its time, as a set to search. */
#ifndef CUTUNE_TOOLS_BENCH_LANDSCAPE_H
#define CUTUNE_TOOLS_BENCH_LANDSCAPE_H

#include "base/error.h"
#include "journal/journal.h"
#include "set/valid_set.h"
#include "tools/bench/score.h"

struct landscape {
    const char *name; /* name of the file, without folder and suffix */
    struct journal *journal;
    struct space *space;
    struct valid_set *set;
    size_t count;
    double *time_ns; /* by index; NaN: failed. If stopped early, the time until then */
    double *cost_s;  /* by index: cost of an evaluation; 1 each if the journal has no record of it */
    bool timed;      /* the journal records costs */
    size_t worked;
    double *sorted_ns; /* times of the feasible configurations, ascending */
    uint32_t *rank;    /* by index: place in sorted_ns, of equal times the first; UINT32_MAX: failed */
    struct score_space score;
};

/* ERROR_DATA for a journal without a feasible configuration; otherwise as journal_read and rows_choices. */
int landscape_open(struct landscape **landscape, const char *path, struct error *error);
void landscape_close(struct landscape *landscape); /* may be NULL */

#endif
