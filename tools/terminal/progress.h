/* Shows the progress of a run: one rewritten line on a terminal, lines at intervals, or a line per evaluation. */
#ifndef CUTUNE_TERMINAL_PROGRESS_H
#define CUTUNE_TERMINAL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "session/session.h"

struct progress {
    bool line;        /* stderr is a terminal: rewrite one line */
    int64_t lines_ns; /* interval of permanent lines; 0: none */
    bool verbose;     /* print a line per new evaluation */
    bool replay;      /* the run's seconds are recorded ones */
    bool shown;       /* the line is on the screen */
    int64_t begun_ns; /* real time before the first new outcome of the search */
    int64_t last_ns;  /* time of the last line */
};

/* Shows outcomes and ticks of SESSION_RUN. */
void progress_show(struct progress *progress, const struct session_event *event);
/* Shows the progress of work other than a run on a terminal: `doing` names the work, as in "compiling". The first call
 * starts the clock. */
struct progress_work {
    const char *doing;
    uint64_t done, total;
    const uint64_t *counts; /* numbers of finished parts, by status */
};
void progress_show_work(struct progress *progress, const struct progress_work *work);
/* Removes the line from the screen. */
void progress_end(struct progress *progress);

/* State behind the line. */
struct progress_state {
    const struct session_subject *subject; /* unused with `doing` */
    const struct run_progress *run;
    int64_t spent_ns;  /* real time spent on the new outcomes */
    bool replay;       /* shows the recorded time of the search, too */
    const char *doing; /* name of work other than a run, in place of the best value; NULL: a run */
};
/* Appends the line, of up to `width` columns. It has a bar, the number of outcomes, the best value, its gain over the
 * default and its share of the limit, the outcomes by status, the rate and the time left. Leaves out parts that do not
 * fit, the least important first; the number of outcomes stays. */
void progress_line(const struct progress_state *state, size_t width, struct text *line);

#endif
