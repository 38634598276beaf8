/* The rows of a journal about a library that a winner was compared with (space statement `library`). */
#ifndef CUTUNE_JOURNAL_JOURNAL_LIBRARY_H
#define CUTUNE_JOURNAL_JOURNAL_LIBRARY_H

#include "base/arena.h"
#include "journal/journal.h"

/* The word in the column `status`. A library is not a configuration: no status has this name. */
#define JOURNAL_LIBRARY "library"

/* Empty when zeroed. */
struct journal_libraries {
    struct arena arena;
    struct journal_library *items; /* in order of appearance */
    size_t count, room;
};

/* Adds a row: `row` has the cells of the library's time, `name` the cell of its name, `numbers` that of
 * journal_library_print. Copies everything. ERROR_DATA for a missing or invalid number. */
int journal_libraries_add(struct journal_libraries *libraries, const char *const *values, size_t width,
                          const struct measurement *row, const char *name, const char *numbers, struct error *error);
/* The last library of a configuration; NULL without any. */
const struct journal_library *journal_libraries_find(const struct journal_libraries *libraries,
                                                     const char *const *values, size_t width);
void journal_libraries_free(struct journal_libraries *libraries);

/* Appends the properties without a column of their own: "winner=2697000 hash=HASH". */
void journal_library_print(struct text *text, const struct journal_library *library);

#endif
