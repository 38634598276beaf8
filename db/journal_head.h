/* The header lines of a journal, "# key = value", as struct fields and back. */
#ifndef CUTUNE_DB_JOURNAL_HEAD_H
#define CUTUNE_DB_JOURNAL_HEAD_H

#include <stdbool.h>

#include "base/text.h"
#include "db/journal.h"

#define JOURNAL_MAGIC "# cutune journal " /* the first line: this and the schema's number */

/* The header as the lines hold it: the number of parameters is a key, their names are the first columns. */
struct journal_head {
    struct journal_header header;
    uint32_t parameters;
    bool has_parameters; /* the line was there */
};

/* Appends all header lines. Newlines and backslashes in texts are escaped. */
int journal_head_print(struct text *text, const struct journal_header *header, struct error *error);

/* Reads the lines from *at on that begin with '#', all of them whole; *at and *line move behind them. Keys that are
 * missing are unknown: "", NaN, and 0 for limits. Texts belong to the arena. A newer schema is ERROR_SCHEMA; a key that
 * is unknown or comes twice, or has a wrong value, is ERROR_DATA; with `path` and the line. */
int journal_head_read(struct journal_head *head, struct arena *arena, const char *path, const char *text, size_t length,
                      size_t *at, int *line, struct error *error);

#endif
