/* Times from journals, for choosing, in addition to the best ones in the database. */
#ifndef CUTUNE_DB_TIMING_HISTORY_H
#define CUTUNE_DB_TIMING_HISTORY_H

#include "choose/selection.h"

struct journal;
struct timing_history;

/* Creates an empty history. */
int timing_history_open(struct timing_history **timing_history, struct error *error);
void timing_history_close(struct timing_history *timing_history); /* may be NULL */

/* Adds the journals of a folder whose names begin with `KERNEL.`, as runs name them. */
int timing_history_add_kernel(struct timing_history *timing_history, const char *folder, const char *kernel,
                              struct error *error);

/* Adds a journal, or all files of a directory whose names end in .csv. */
int timing_history_add(struct timing_history *timing_history, const char *path, struct error *error);

/* Finds the times that belong to these rows of one kernel. Their journals have the same kernel, source and space as
 * the newest row. Their objective, options and data are those of the row of their device and problem, else of the
 * first such journal. Only complete measurements count. Sets *stale to the number of this kernel's journals from
 * another source or space. The result belongs to `arena` and the history; NULL with *count 0 without times.
 * ERROR_MEMORY. Read-only: threads may call it concurrently. */
int timing_history_times(const struct timing_history *timing_history, struct arena *arena,
                         const struct best *const *rows, size_t row_count, const struct selection_time **times,
                         size_t *count, size_t *stale, struct error *error);

/* Counts the kernel's journals that do not belong to the rows although they are of this source and space: they have
 * another objective, or were measured with other options or data. */
int timing_history_different(const struct timing_history *timing_history, const struct best *const *rows,
                             size_t row_count, size_t *different, struct error *error);

/* Returns the newest journal with energies whose run asked the question of the row: its kernel, device, problem,
 * source, space, data and options are the same. Memory of the history; NULL: none. */
const struct journal *timing_history_energies(const struct timing_history *timing_history, const struct best *row);

#endif
