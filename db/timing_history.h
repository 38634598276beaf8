/* Journals as evidence for choosing: the times of all that they measured, beside the bests that the database has. */
#ifndef CUTUNE_DB_TIMING_HISTORY_H
#define CUTUNE_DB_TIMING_HISTORY_H

#include "db/selection.h"

struct timing_history;

/* None yet. */
int timing_history_open(struct timing_history **timing_history, struct error *error);
void timing_history_close(struct timing_history *timing_history); /* may be NULL */

/* Adds a journal, or all files of a directory that end in .csv, by name. */
int timing_history_add(struct timing_history *timing_history, const char *path, struct error *error);

/* The times that belong to these rows of one kernel: of journals of the same kernel, source and space as the newest
 * row. Only what was measured to its end counts. *stale is how many journals are of another source or space of this
 * kernel. In memory of `arena` and of the evidence; NULL with *count 0 when there are none. ERROR_MEMORY. Changes
 * nothing: threads may ask at once. */
int timing_history_times(const struct timing_history *timing_history, struct arena *arena,
                         const struct best *const *rows, size_t row_count, const struct selection_time **times,
                         size_t *count, size_t *stale, struct error *error);

#endif
