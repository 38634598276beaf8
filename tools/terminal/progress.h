/* Shows the progress of a run: one line that is rewritten on a terminal, or a line per evaluation. */
#ifndef CUTUNE_TERMINAL_PROGRESS_H
#define CUTUNE_TERMINAL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "tuner/session.h"

struct progress {
    bool line;       /* stderr is a terminal: rewrite one line */
    bool verbose;    /* print a line per new evaluation */
    bool shown;      /* the line is on the screen */
    int64_t last_ns; /* time of the last line */
};

/* Shows SESSION_EVALUATION and SESSION_PROGRESS. */
void progress_show(struct progress *progress, const struct session_event *event);
/* Removes the line from the screen. */
void progress_end(struct progress *progress);

#endif
