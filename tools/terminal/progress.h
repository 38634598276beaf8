/* What a person sees while a run goes on: one line that is rewritten on a terminal, or a line per evaluation. */
#ifndef CUTUNE_TERMINAL_PROGRESS_H
#define CUTUNE_TERMINAL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "tuner/session.h"

struct progress {
    bool line;       /* stderr is a terminal: a line that is rewritten */
    bool verbose;    /* a line per new evaluation */
    bool shown;      /* the line is on the screen */
    int64_t last_ns; /* when it was written */
};

/* Shows SESSION_EVALUATION and SESSION_PROGRESS. */
void progress_show(struct progress *progress, const struct session_event *event);
/* Takes the line off the screen. */
void progress_end(struct progress *progress);

#endif
