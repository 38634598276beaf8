/* Rows of a journal as text, for files with any order of columns. */
#ifndef CUTUNE_JOURNAL_JOURNAL_PRINT_H
#define CUTUNE_JOURNAL_JOURNAL_PRINT_H

#include "journal/journal.h"

/* Append a row, a row for each launch, and the rows of a library and of an energy. `columns`: for each column after the
 * parameters, its number JOURNAL_COLUMN_..., or -1 - the number of an extra column. ERROR_VALUE for a value that no row
 * can hold. */
int journal_print_cells(const struct journal_header *header, const int *columns, size_t column_count,
                        const struct journal_row *row, struct text *line, struct error *error);
int journal_print_evidence_cells(const struct journal_header *header, const int *columns, size_t column_count,
                                 const struct journal_evidence *evidence, struct text *lines, struct error *error);
int journal_print_library_cells(const struct journal_header *header, const int *columns, size_t column_count,
                                const struct journal_library *library, struct text *line, struct error *error);
int journal_print_energy_cells(const struct journal_header *header, const int *columns, size_t column_count,
                               const struct journal_energy *energy, struct text *line, struct error *error);

#endif
