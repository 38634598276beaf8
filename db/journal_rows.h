/* The rows of a journal in memory: a million of them, of ten parameters, in 200 MB. Texts that come again share one
 * copy, and a measurement's message is a text like the others, since most have none. */
#ifndef CUTUNE_DB_JOURNAL_ROWS_H
#define CUTUNE_DB_JOURNAL_ROWS_H

#include "base/arena.h"
#include "base/measurement.h"

/* Zeroed, it is empty. */
struct journal_rows {
    struct arena arena;
    size_t width; /* texts of a row, the message included */
    size_t count;
    struct journal_block **blocks;
    size_t block_count, block_room;
    struct journal_texts *texts; /* by column */
};

/* False when memory is out. `width` texts a row, besides the message. */
bool journal_rows_start(struct journal_rows *rows, size_t width);
bool journal_rows_add(struct journal_rows *rows, const char *const *texts, const struct measurement *measurement);
/* The texts of a row: equal ones of a column are the same pointer. Valid until journal_rows_free. */
const char *const *journal_rows_texts(const struct journal_rows *rows, size_t row);
struct measurement journal_rows_measurement(const struct journal_rows *rows, size_t row);
void journal_rows_free(struct journal_rows *rows);

#endif
