/* The internals of a fit over sizes, from the request to its result: what a fit that measures (fit_run.c) and one from
 * journals alone (fit_replay.c) share. Private to these. */
#ifndef CUTUNE_FIT_FIT_STATE_H
#define CUTUNE_FIT_FIT_STATE_H

#include "fit/fit_run.h"
#include "session/workshop.h"

/* What a point of the pool is used for. A size that an earlier run probed is not searched, since a journal of a fit
 * alone tells that nothing was: it is probed again, which measures what its journal lacks. A size that an earlier run
 * searched is free, but taken before others. */
enum point_use { POINT_FREE, POINT_PROBED, POINT_SEARCHED, POINT_TAKEN };

struct fitting {
    const struct fit_request *request;
    struct fit_result *result;
    struct arena arena;
    struct space *space;
    struct workshop workshop; /* of all sessions */
    int64_t start_ns;
    size_t width, pool_count;
    int64_t *pool;              /* points */
    enum point_use *use;        /* of them; POINT_TAKEN: searched, or left out */
    const char **paths;         /* by point: the journal of an earlier run */
    const char *const *earlier; /* journals of the kernel that were there before */
    size_t earlier_count;
    size_t searched; /* sizes with a result */
    size_t probed, probes_most;
    char path[4096]; /* of the last session's journal */
    char error_text[1024];
};

/* Tells the listener. */
int fit_note(struct fitting *fitting, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Parses the space and narrows it, and reads the region, whose sizes -D does not name. */
int fit_open(struct fitting *fitting, struct error *error);

/* *wanted: the journal is of the kernel, with sizes of the region. *point: these. */
int fit_belongs(const struct fitting *fitting, const struct journal *journal, int64_t *point, bool *wanted,
                struct error *error);

/* Finds the configurations that the journals propose, and what the space requires of them. `replayed`: those that a fit
 * has measured, if there are any. */
int fit_propose(struct fitting *fitting, bool replayed, struct error *error);

/* Makes the fit of what is measured. */
int fit_make_anew(struct fitting *fitting, struct error *error);

#endif
