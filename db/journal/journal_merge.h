/* Makes one journal of several of the same kernel, problem, device model and toolchain, as if one run had written it.
 */
#ifndef CUTUNE_JOURNAL_JOURNAL_MERGE_H
#define CUTUNE_JOURNAL_JOURNAL_MERGE_H

#include "journal/journal.h"

/* Appends the merged journal: the header of the first, then for each journal a row for each configuration, what it came
 * to in times of the last session, and the evidence. Play-offs, with what a library was compared in, are left out:
 * their finalists were not measured together, and the run that goes on holds a new one. Equal rows stay once. Extra
 * columns stay; the column `uuid` says which device measured a row, where it is not the first journal's. ERROR_DATA if
 * a journal has another fingerprint, other parameters or another objective than the first. */
int journal_merge(const struct journal *const *journals, size_t count, struct text *out, struct error *error);

#endif
