/* Reads the rows of a journal as configurations of a space, for resuming and replaying. */
#ifndef CUTUNE_EVALUATE_ROWS_H
#define CUTUNE_EVALUATE_ROWS_H

#include "journal/journal.h"
#include "journal/outcomes.h"
#include "search/strategy.h"
#include "set/valid_set.h"
#include "space/space.h"

/* Reads the choices of all rows into *choices (malloc'd, to be freed by the caller): row r begins at choices[r *
 * parameter_count]. Matches columns by name. ERROR_DATA if the journal's parameters are not the space's, or if the
 * space does not list a value. */
int rows_choices(const struct space *space, const struct journal *journal, uint32_t **choices, struct error *error);

/* Mark of outcomes whose configuration is not in the set. */
enum { ROWS_OUTSIDE = 1 };

/* Adds all rows of a journal to the outcomes, by the configurations' indices in the set. Configurations outside the set
 * get keys of their own, because they may be originals of duplicates. The arena owns the memory that outcomes borrow.
 * Errors of rows_choices. */
int rows_outcomes(const struct space *space, const struct valid_set *set, const struct journal *journal,
                  struct outcomes *outcomes, struct arena *arena, struct error *error);

/* Appends the outcome of a configuration. `samples`: as in struct journal_row; NULL: none. */
int rows_append(struct journal *journal, const struct space *space, const uint32_t *choices,
                const struct measurement *measurement, const char *samples, struct error *error);

/* Appends the evidence about a configuration, unless it has no measurements and the journal already has evidence.
 * Launches without a number get their position. */
int rows_append_evidence(struct journal *journal, const struct space *space, const uint32_t *choices,
                         const struct evidence *launches, size_t count, struct error *error);

/* Appends a library's comparison with a configuration; ignores its `values`. */
int rows_append_library(struct journal *journal, const struct space *space, const uint32_t *choices,
                        const struct journal_library *library, struct error *error);
/* Returns the configuration's last comparison that the journal had when it was read; NULL: none. */
const struct journal_library *rows_find_library(const struct journal *journal, const struct space *space,
                                                const uint32_t *choices);

/* Appends the energy of a configuration. */
int rows_append_energy(struct journal *journal, const struct space *space, const struct valid_set *set, uint64_t index,
                       const struct energy *energy, struct error *error);
/* Returns the energy of a configuration among those of a journal; NULL: none. */
const struct energy *rows_find_energy(const struct journal_energy *energies, size_t count,
                                      const struct journal *journal, const struct space *space,
                                      const struct valid_set *set, uint64_t index);

/* Reads a prior run, from the journal of another device, other sizes or another version: the outcome of each
 * configuration whose values the space lists; *left_out counts the others. Ignores outcomes that --min-occupancy pruned
 * there. The arena owns the result. ERROR_DATA if the journal's parameters are not the space's. */
int rows_landscape(const struct space *space, const struct journal *journal, struct arena *arena,
                   struct prior_run *landscape, size_t *left_out, struct error *error);

/* Makes a space from the journal's rows, for replaying without a .space file, with the work and sources of the header
 * (see space_from_rows). ERROR_DATA also for a journal without rows. */
int rows_space(struct space **space, const struct journal *journal, struct error *error);

#endif
