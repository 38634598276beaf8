/* explain: collects evidence that a journal lacks. */
#ifndef CUTUNE_COMMANDS_EXPLAIN_COLLECT_H
#define CUTUNE_COMMANDS_EXPLAIN_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "analyse/explain_input.h"
#include "session/process_pool.h"
#include "terminal/progress.h"

struct explain_collect {
    const char *space;                 /* path or name; NULL: the kernel's name */
    const char *device;                /* as in device/choice.h */
    bool untrusted;                    /* as in find_space_file */
    bool counters;                     /* use hardware counters */
    size_t neighbours;                 /* limit on their number */
    struct process_pool *process_pool; /* keeps the device for the next run */
    struct measured_runs *measured;    /* runs of the comparison */
    struct progress *progress;         /* shows measurements and compilations */
    struct comparisons *comparisons; /* out: comparison of the run alone with all measurements; empty before, and if the
                                        device was not at hand */
    char no_counters[1024];          /* out: reason for missing counters; "": unknown */
};

/* Collects evidence about configurations without it: the focus, the default, the requested ones, the path from the
 * default, and the first neighbours. On the journal's device, if it is at hand, first measures those of the path and of
 * the neighbours without a time; the journal keeps all results. Otherwise compiles for that device. Puts the evidence
 * into `explained` as it comes, even before an error. */
int explain_collect(struct explain_collect *collect, struct explain_input *explained, struct error *error);

#endif
