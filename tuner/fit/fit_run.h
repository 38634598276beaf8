/* A fit over sizes from the request to its tree: takes sizes of a region, searches each, measures what they propose at
 * all of them, adds sizes where the choice is least certain, and makes the fit (analyse/fit.h). Then it probes further
 * sizes, at which it measures the fit's candidates alone, and makes the fit anew: they say which configurations serve
 * most sizes, and where the tree's borders are. Everything it measures is in the journals of the sizes, which an
 * interrupted fit goes on from. */
#ifndef CUTUNE_FIT_FIT_RUN_H
#define CUTUNE_FIT_FIT_RUN_H

#include <stddef.h>

#include "base/error.h"
#include "database/database.h"
#include "fit/fit.h"
#include "fit/fit_journals.h"
#include "fit/fit_sizes.h"
#include "session/session.h"

/* Everything is borrowed. */
struct fit_request {
    /* The search of one size: `defines` are those of the other sizes. Its listener hears the sessions, with a note for
     * each size. */
    const struct session_request *session;
    const char *over, *where; /* fit_region_read */
    size_t sizes;             /* to search, at most */
    size_t probes;            /* sizes to probe, at most; with max_time_s as many as it leaves time for, unless 0 */
    double max_time_s;        /* no size is begun after this, and none is searched after half of it; 0: no limit */
    struct fit_options options;
};

/* Zeroed: empty. */
struct fit_result {
    struct fit_region region;
    const char *names[SIZE_FIT_SIZES_MAX];
    struct fit_journals journals;
    struct fit_table table;
    struct fit fit;
    size_t left_out; /* sizes at which nothing is valid */
};

/* Errors are those of session_run; ERROR_NOTHING_VALID if no size has a result. */
int fit_run(const struct fit_request *request, struct fit_result *result, struct error *error);

/* Makes the fit from journals alone: the files of a folder that are of the space's kernel, and whose sizes the region
 * has. Needs no device and measures nothing. ERROR_NOT_FOUND if there is none. */
int fit_replay(const struct fit_request *request, const char *folder, struct fit_result *result, struct error *error);

/* The fit as a row of the database, with the date of now; memory of the result. */
int fit_result_row(struct fit_result *result, const struct session_request *session, struct best *row,
                   struct error *error);

void fit_result_free(struct fit_result *result);

#endif
