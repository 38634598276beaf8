/* Rows of a journal as configurations of a space: for resuming and replaying. */
#ifndef CUTUNE_EVALUATE_ROWS_H
#define CUTUNE_EVALUATE_ROWS_H

#include "db/journal.h"
#include "db/outcomes.h"
#include "space/space.h"
#include "space/valid_set.h"

/* The choices of every row, parameter_count per row, malloc'd into *choices (free it): for row r of the journal,
 * choices[r * parameter_count]. Columns are matched by name. ERROR_DATA when the journal has other parameters than the
 * space, or a value that is not in the space's list. */
int rows_choices(const struct space *space, const struct journal *journal, uint32_t **choices, struct error *error);

/* Set in the marks of an outcome: the configuration is not in the set. */
enum { ROWS_OUTSIDE = 1 };

/* Adds all rows of a journal to the outcomes, by their configurations' indices in the set. Those that are not in it are
 * there, too, since they may be the originals of duplicates, by keys of their own. What outcomes borrow is in the
 * arena. Errors as rows_choices. */
int rows_outcomes(const struct space *space, const struct valid_set *set, const struct journal *journal,
                  struct outcomes *outcomes, struct arena *arena, struct error *error);

/* The key, as in rows_outcomes, of the configuration whose number a measurement takes; OUTCOME_NO_DUPLICATE: of none.
 */
uint64_t rows_duplicate(const struct space *space, const struct valid_set *set, const struct measurement *measurement);

/* Appends what became of a configuration. */
int rows_append(struct journal *journal, const struct space *space, const uint32_t *choices,
                const struct measurement *measurement, struct error *error);

/* The space of the journal's own rows, for replaying it without a .space, with what its header says of the work and the
 * sources; see space_from_rows. ERROR_DATA also for a
 * journal without rows. */
int rows_space(struct space **space, const struct journal *journal, struct error *error);

#endif
