/* The rows of a journal about the energy of configurations. */
#ifndef CUTUNE_JOURNAL_JOURNAL_ENERGY_H
#define CUTUNE_JOURNAL_JOURNAL_ENERGY_H

#include "base/arena.h"
#include "journal/journal.h"

/* The word in the column `status`. Energy is not an outcome: no status has this name. */
#define JOURNAL_ENERGY "energy"

/* Empty when zeroed. */
struct journal_energies {
    struct arena arena;
    struct journal_energy *items; /* in order of appearance */
    size_t count, room;
};

/* Add a row, and read it from its cells: `numbers` is that of energy_append. Copy everything. ERROR_DATA for an invalid
 * number. */
int journal_energies_add(struct journal_energies *energies, const char *const *values, size_t width,
                         const struct energy *energy, struct error *error);
int journal_energies_read(struct journal_energies *energies, const char *const *values, size_t width,
                          const char *numbers, const char *states, struct error *error);
void journal_energies_free(struct journal_energies *energies);

#endif
