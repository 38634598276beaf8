/* Rows of a journal as configurations of a space: for resuming and replaying. */
#ifndef CUTUNE_EVALUATE_ROWS_H
#define CUTUNE_EVALUATE_ROWS_H

#include "db/journal.h"
#include "space/space.h"

/* The choices of every row, parameter_count per row, malloc'd into *choices (free it): for row r of the journal,
 * choices[r * parameter_count]. Columns are matched by name. ERROR_DATA when the journal has other parameters than the
 * space, or a value that is not in the space's list. */
int rows_choices(const struct space *space, const struct journal *journal, uint32_t **choices, struct error *error);

/* Appends what became of a configuration. */
int rows_append(struct journal *journal, const struct space *space, const uint32_t *choices,
                const struct measurement *measurement, struct error *error);

/* The space of the journal's own rows, for replaying it without a .space, with what its header says of the work and the
 * sources; see space_from_rows. ERROR_DATA also for a
 * journal without rows. */
int rows_space(struct space **space, const struct journal *journal, struct error *error);

#endif
