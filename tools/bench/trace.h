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
    const struct prior_run *prior_runs; /* prior runs for the strategy */
    size_t prior_run_count;
    const uint64_t *first; /* evaluated before the strategy begins, within the budget */
    size_t first_count;
    size_t jobs;  /* 0: one configuration at a time. Otherwise a run as deployed, with this many compilers: the strategy
                     proposes while configurations are in flight, which end in the order of their simulated times */
    size_t batch; /* without jobs: configurations proposed at once */
    size_t least; /* the search ends after at least this many evaluations and simulated seconds, proposals included, */
    double least_s;
    size_t most; /* or after this many evaluations */
};

/* By evaluation, in the order of their ends. The caller owns the arrays, with room for setup->most. */
struct trace {
    size_t count;
    uint32_t *best; /* rank of the best so far in the landscape; UINT32_MAX: none was feasible */
    float *at_s;    /* simulated end: compiling, verifying and measuring */
    float *own_s;   /* processor time of the search itself so far */
};

/* Runs a search and fills the arrays. ERROR_USAGE for an unknown strategy; with jobs, ERROR_DATA for a landscape
 * without recorded times. */
int trace_run(const struct trace_setup *setup, struct trace *trace, struct error *error);

#endif
