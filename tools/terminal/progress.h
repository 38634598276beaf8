/* What a person sees while a run goes on: one line that is rewritten on a terminal, or a line per evaluation. */
#ifndef CUTUNE_TERMINAL_PROGRESS_H
#define CUTUNE_TERMINAL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "tuner/run.h"

struct progress {
    const struct space *space;
    const struct valid_set *set;
    double floor_ns; /* what the kernel needs at least on this device; NaN: unknown */
    bool line;       /* stderr is a terminal: a line that is rewritten */
    bool verbose;    /* a line per new evaluation */
    bool shown;      /* the line is on the screen */
    int64_t last_ns; /* when it was written */
    /* The first configuration of each status, with the reason: what the summary tells about failures. */
    struct {
        uint64_t index;
        char message[256];
    } first[STATUS_COUNT];
};

/* The observer of a run; context is a struct progress. */
void progress_observe(void *context, const struct run_progress *run, uint64_t index,
                      const struct measurement *measurement, bool fresh);
/* Takes the line off the screen. */
void progress_end(struct progress *progress);

#endif
