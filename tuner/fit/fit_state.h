/* The internals shared by a fit that measures (fit_run.c) and one from journals alone (fit_replay.c). Private to
 * these. */
#ifndef CUTUNE_FIT_FIT_STATE_H
#define CUTUNE_FIT_FIT_STATE_H

#include "fit/fit_run.h"
#include "session/process_pool.h"

/* The use of a point of the pool. A point that an earlier run probed is not searched, as its journal would no longer
 * show that; it is probed again, which measures only the missing configurations. A point that an earlier run searched
 * is free, but taken before others. */
enum point_use { POINT_FREE, POINT_PROBED, POINT_SEARCHED, POINT_TAKEN };

struct fitting {
    const struct fit_request *request;
    struct fit_result *result;
    struct arena arena;
    struct space *space;
    struct process_pool process_pool; /* shared by all sessions */
    int64_t start_ns;
    size_t width, pool_count;
    int64_t *pool;              /* points */
    enum point_use *use;        /* by point; POINT_TAKEN: searched or left out */
    const char **paths;         /* by point: the journal of an earlier run */
    const char *const *earlier; /* journals of the kernel from earlier runs */
    size_t earlier_count;
    size_t searched; /* sizes with a result */
    size_t probed, probes_most;
    char path[4096]; /* of the last session's journal */
    char error_text[1024];
};

/* Sends a note to the listener. */
int fit_note(struct fitting *fitting, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Parses and narrows the space, and reads the region. ERROR_USAGE if -D names a size of the region. */
int fit_open(struct fitting *fitting, struct error *error);

/* wanted: the journal is of the kernel, and its sizes, *point, are in the region. */
int fit_belongs(const struct fitting *fitting, const struct journal *journal, int64_t *point, bool *wanted,
                struct error *error);

/* Finds the configurations that the journals propose, and their conditions. `replayed`: only those that a fit has
 * measured, if there are any. */
int fit_propose(struct fitting *fitting, bool replayed, struct error *error);

/* Makes the fit from all measurements so far. */
int fit_make_anew(struct fitting *fitting, struct error *error);

#endif
