/* explain: collects the evidence that a journal lacks. */
#ifndef CUTUNE_COMMANDS_EXPLAIN_COLLECT_H
#define CUTUNE_COMMANDS_EXPLAIN_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "analyse/explained.h"
#include "session/workshop.h"

struct explain_collect {
    const char *space;               /* path or name; NULL: the kernel's name */
    const char *device;              /* as in device/choice.h */
    bool untrusted;                  /* as in find_space_file */
    bool counters;                   /* what is known without them does not suffice */
    size_t neighbours;               /* at most so many */
    struct workshop *workshop;       /* keeps the device for the next run */
    struct measured_runs *measured;  /* of which the comparison is */
    struct comparisons *comparisons; /* out: of the run alone with all that was measured; empty before, and if the
                                        device was not at hand */
    char no_counters[1024];          /* out: why there are none; "": unknown */
};

/* Collects evidence about the configurations that lack it: the focus, the default, those asked for, the way from the
 * default, and the first neighbours. On the journal's device, if it is at hand, measures those of the way and of the
 * neighbours that have no time first, and the journal keeps it all; otherwise compiles for that device, and puts the
 * evidence into `explained` as it comes. Both also before an error. */
int explain_collect(struct explain_collect *collect, struct explained *explained, struct error *error);

#endif
