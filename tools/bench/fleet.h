/* A run over many simulated devices, with the coordinator's own code: the run, the strategy, the corrections, the team
 * and its agents, each of which is a process with some of the devices. A device takes as long as recorded evaluations
 * did, scaled to a mean, by the real clock. */
#ifndef CUTUNE_TOOLS_BENCH_FLEET_H
#define CUTUNE_TOOLS_BENCH_FLEET_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "db/journal.h"
#include "search/strategy.h"

enum { FLEET_RANKS_MAX = 512 };

struct fleet_setup {
    const struct journal *recorded; /* the times of its rows */
    const char *space;              /* statements: the configurations */
    const struct strategy_ops *strategy;
    size_t devices, devices_of_a_rank; /* at most FLEET_RANKS_MAX ranks */
    int64_t evaluation_ns;             /* mean */
    int64_t max_time_ns;               /* 0: no limit */
    uint64_t max_evals, seed;          /* 0: no limit */
    const char *journal;               /* a file that does not exist; NULL: none */
};

struct fleet_result {
    uint64_t evaluated;
    int64_t search_ns;
    int64_t measured_ns;    /* summed over the devices, with what was measured for corrections */
    int64_t coordinator_ns; /* processor time of the coordinator */
    size_t used;            /* devices that measured */
    size_t twice;           /* configurations that were told more than once */
};

/* ERROR_DATA if the journal has no time of an evaluation. */
int fleet_run(const struct fleet_setup *setup, struct fleet_result *result, struct error *error);

#endif
