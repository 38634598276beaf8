/* The rows of a journal in compact form, for millions of rows. Repeated texts share one copy. Messages and states
 * are stored as texts, since most messages are empty. */
#ifndef CUTUNE_JOURNAL_JOURNAL_ROWS_H
#define CUTUNE_JOURNAL_JOURNAL_ROWS_H

#include "base/arena.h"
#include "base/measurement.h"

/* Empty when zeroed. */
struct journal_rows {
    struct arena arena;
    size_t width; /* texts of a row, including the message and the states */
    size_t count;
    struct journal_block **blocks;
    size_t block_count, block_room;
    struct journal_texts *texts; /* by column */
};

/* `width`: texts per row, without those of the measurement. False when out of memory. */
bool journal_rows_start(struct journal_rows *rows, size_t width);
bool journal_rows_add(struct journal_rows *rows, const char *const *texts, const struct measurement *measurement);
/* The texts of a row; equal ones of a column share one pointer. Valid until journal_rows_free. */
const char *const *journal_rows_texts(const struct journal_rows *rows, size_t row);
struct measurement journal_rows_measurement(const struct journal_rows *rows, size_t row);
void journal_rows_free(struct journal_rows *rows);

#endif
