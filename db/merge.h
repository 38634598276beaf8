/* Databases of several machines as one. */
#ifndef CUTUNE_DB_MERGE_H
#define CUTUNE_DB_MERGE_H

#include "db/database.h"

/* Of rows with one key, one stays. The rule, so that any order of the files gives the same bytes:
 *
 * 1. Rows of the same source, space, data and options belong together; those stay whose latest date is the latest.
 * 2. Among these the first that differs decides: newer NVRTC, newer CUDA version of the driver, newer driver, narrower
 *    interval in relation to the time (none is the widest), more samples, later date, and at last the lesser row as
 * text.
 *
 * A row that gives way to a different one is told: it and the winner, and why. */
struct merge_conflict {
    const struct best *kept, *dropped;
    const char *kept_path, *dropped_path;
    int kept_line, dropped_line;
    const char *reason; /* "newer NVRTC" */
};
typedef void merge_observe(void *context, const struct merge_conflict *conflict);

/* Appends the merged database: columns of cutune first, then the others by name; rows by key. `observe` may be NULL. */
int database_merge(const struct database *const *databases, size_t count, struct text *out, merge_observe *observe,
                   void *context, struct error *error);

#endif
