/* Runs a fit over sizes from the request to its tree. Searches sizes of a region, measures their proposals at all of
 * them, adds sizes where the choice is least certain, and makes the fit (fit/fit.h). Then it probes further sizes,
 * where it measures only the fit's candidates, and makes the fit again: probes show which configurations serve most
 * sizes, and where the tree's borders are. All measurements are in the journals of the sizes, from which an interrupted
 * fit resumes. */
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
    /* The search of one size: `defines` are those of sizes outside the region. Its listener hears the sessions, with a
     * note for each size. */
    const struct session_request *session;
    const char *over, *where; /* fit_region_read */
    size_t sizes;             /* maximum to search */
    size_t probes;            /* maximum of sizes to probe; 0: none. With max_time_s: as many as the time allows */
    double max_time_s;        /* no size is begun after it, and none is searched after half of it; 0: no limit */
    struct fit_options options;
};

/* Zeroed: empty. */
struct fit_result {
    struct fit_region region;
    const char *names[SIZE_FIT_SIZES_MAX];
    struct fit_journals journals;
    struct fit_table table;
    struct fit fit;
    size_t left_out; /* sizes without a valid configuration */
};

/* Errors: those of session_run; ERROR_NOTHING_VALID if no size has a result. */
int fit_run(const struct fit_request *request, struct fit_result *result, struct error *error);

/* Makes the fit from journals alone: the files of a folder for the space's kernel with sizes of the region. Needs no
 * device and measures nothing. ERROR_NOT_FOUND if the folder has none. */
int fit_replay(const struct fit_request *request, const char *folder, struct fit_result *result, struct error *error);

/* Writes the fit as a row of the database, dated now; memory of the result. */
int fit_result_row(struct fit_result *result, const struct session_request *session, struct best *row,
                   struct error *error);

void fit_result_free(struct fit_result *result);

#endif
