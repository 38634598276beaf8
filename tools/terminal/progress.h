/* Shows the progress of a run: one line that is rewritten on a terminal, lines at intervals, or a line per evaluation.
 */
#ifndef CUTUNE_TERMINAL_PROGRESS_H
#define CUTUNE_TERMINAL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "session/session.h"

struct progress {
    bool line;        /* stderr is a terminal: rewrite one line */
    int64_t lines_ns; /* interval of lines that stay; 0: none are written */
    bool verbose;     /* print a line per new evaluation */
    bool replay;      /* the run's seconds are recorded ones */
    bool shown;       /* the line is on the screen */
    int64_t begun_ns; /* when the search had no new outcome yet; real time */
    int64_t last_ns;  /* time of the last line */
};

/* Shows SESSION_EVALUATION and SESSION_PROGRESS. */
void progress_show(struct progress *progress, const struct session_event *event);
/* Shows on a terminal how much of some work is done that is not a run: `doing` names it, as in "compiling". The first
 * call begins to measure its time. */
struct progress_work {
    const char *doing;
    uint64_t done, total;
    const uint64_t *counts; /* of what is done, by status */
};
void progress_show_work(struct progress *progress, const struct progress_work *work);
/* Removes the line from the screen. */
void progress_end(struct progress *progress);

/* What the line is made of. */
struct progress_state {
    const struct session_subject *subject; /* not read with `doing` */
    const struct run_progress *run;
    int64_t spent_ns;  /* real time that the new outcomes have taken */
    bool replay;       /* shows the recorded time of the search, too */
    const char *doing; /* other work than a run: stands in place of the best value; NULL: a run */
};
/* Appends the line, of up to `width` columns: a bar, the number of outcomes, the best value, its gain over the default
 * and its share of the limit, the outcomes by status, the rate and the time left. What does not fit is left out, the
 * least important first; the number of outcomes stays. */
void progress_line(const struct progress_state *state, size_t width, struct text *line);

#endif
