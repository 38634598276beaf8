/* Journals as evidence for choosing: the times of all that they measured, beside the bests that the database has. */
#ifndef CUTUNE_DB_EVIDENCE_H
#define CUTUNE_DB_EVIDENCE_H

#include "db/selection.h"

struct evidence;

/* None yet. */
int evidence_open(struct evidence **evidence, struct error *error);
void evidence_close(struct evidence *evidence); /* NULL is fine */

/* Adds a journal, or all files of a directory that end in .csv, by name. */
int evidence_add(struct evidence *evidence, const char *path, struct error *error);

/* The times that belong to these rows of one kernel: of journals of the same kernel, source and space as the newest
 * row. Only what was measured to its end counts. *stale is how many journals are of another source or space of this
 * kernel. Valid until the next call and evidence_close. NULL with *count 0 when there are none or memory is out. */
const struct selection_time *evidence_times(struct evidence *evidence, const struct best *const *rows, size_t row_count,
                                            size_t *count, size_t *stale);

#endif
