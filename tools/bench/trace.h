/* One search on a recorded landscape, evaluation by evaluation. */
#ifndef CUTUNE_TOOLS_BENCH_TRACE_H
#define CUTUNE_TOOLS_BENCH_TRACE_H

#include "base/error.h"
#include "search/strategy.h"
#include "tools/bench/landscape.h"

enum { TRACE_BATCH_MAX = 64 };

struct trace_setup {
    const struct landscape *landscape;
    const char *strategy; /* NAME[:OPTION=VALUE,...] */
    uint64_t seed;
    const struct landscape_elsewhere *elsewhere; /* for the strategy */
    size_t elsewhere_count;
    const uint64_t *first; /* evaluated before the strategy begins, within the budget */
    size_t first_count;
    size_t
        jobs; /* 0: one configuration at a time. Otherwise the run as deployed, with this many compilers: the strategy
                 is asked while configurations are in flight, which end in the order of their simulated times */
    size_t batch; /* without jobs: configurations proposed at once */
    size_t least; /* the search ends after so many evaluations and so many simulated seconds, proposals included, */
    double least_s;
    size_t most; /* or after this many evaluations */
};

/* By evaluation, in the order of their ends. The arrays have room for setup->most and are the caller's. */
struct trace {
    size_t count;
    uint32_t *best; /* rank of the best so far in the landscape; UINT32_MAX: nothing has worked */
    float *at_s;    /* the simulated end: compiling, verifying and measuring */
    float *own_s;   /* processor time that the search itself has taken so far */
};

/* Runs a search and fills the arrays. ERROR_USAGE for a strategy that does not exist; with jobs, ERROR_DATA for a
 * landscape without recorded times. */
int trace_run(const struct trace_setup *setup, struct trace *trace, struct error *error);

#endif
