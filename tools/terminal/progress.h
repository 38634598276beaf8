/* Shows the progress of a run: one rewritten line on a terminal, lines at intervals, or a line per evaluation. */
#ifndef CUTUNE_TERMINAL_PROGRESS_H
#define CUTUNE_TERMINAL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/work.h"
#include "session/session.h"

struct progress {
    bool line;        /* stderr is a terminal: rewrite one line */
    int64_t lines_ns; /* interval of permanent lines; 0: none */
    bool verbose;     /* print a line per new evaluation */
    bool replay;      /* the run's seconds are recorded ones */
    int64_t begun_ns; /* real time before the first new outcome of the search */
    int64_t last_ns;  /* time of the last line */
    int64_t heard_ns; /* time of the last outcome */
    bool waits;       /* --verbose has said that the next outcome takes long */
    struct work work; /* of progress_work */
};

/* A line if standard error is a terminal, and not `quiet`. */
struct progress progress_of_terminal(bool quiet);

/* Shows outcomes and ticks of SESSION_RUN. The line stays until a message, a result or output_status. */
void progress_show(struct progress *progress, const struct session_event *event);
/* Says what follows without further events for seconds: --verbose in a message, else on the line. */
void progress_wait(struct progress *progress, const char *waits);
/* Returns the work whose progress is shown on a terminal: other work than a run. */
struct work *progress_work(struct progress *progress);
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
