/* Merges journals of the same kernel, problem, device model and toolchain, as if one run had written them. */
#ifndef CUTUNE_JOURNAL_JOURNAL_MERGE_H
#define CUTUNE_JOURNAL_JOURNAL_MERGE_H

#include "journal/journal.h"

/* Appends the merged journal: the header of the first, then for each journal a row for each configuration, with its
 * outcome in times of the last session, and the evidence. Omits play-offs and libraries: the finalists were not
 * measured together, and the run that resumes the journal holds a new play-off. Duplicate rows are written once.
 * Extra columns stay; the column `uuid` names the device that measured a row, unless it is the first journal's.
 * ERROR_DATA if a journal has another fingerprint, other parameters or another objective than the first. */
int journal_merge(const struct journal *const *journals, size_t count, struct text *out, struct error *error);

#endif
