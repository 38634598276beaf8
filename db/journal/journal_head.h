/* Reads and writes the header lines of a journal, "# key = value". */
#ifndef CUTUNE_JOURNAL_JOURNAL_HEAD_H
#define CUTUNE_JOURNAL_JOURNAL_HEAD_H

#include <stdbool.h>

#include "base/text.h"
#include "database/csv.h"
#include "journal/journal.h"

#define JOURNAL_MAGIC "# cutune journal " /* the first line: this and the schema's number */

/* The content of the header lines: the number of parameters is a key, and the first columns name them. */
struct journal_head {
    struct journal_header header;
    uint32_t parameters;
    bool has_parameters; /* the line was present */
};

/* The keys in the order of a file, 0 .. journal_head_key_count() - 1, as fields of struct journal_head. A key's name
 * in the file is *prefix followed by the column's name. */
size_t journal_head_key_count(void);
struct csv_column journal_head_key(size_t number, const char **prefix);

/* Appends all header lines. Newlines and backslashes in texts are escaped. */
int journal_head_print(struct text *text, const struct journal_header *header, struct error *error);

/* Reads the lines from *at on that begin with '#'; all must be complete. Moves *at and *line behind them. Missing
 * keys are unknown: "", NaN, or 0 for limits. Texts belong to the arena. A newer schema is ERROR_SCHEMA. An unknown
 * or repeated key and a wrong value are ERROR_DATA, with `path` and the line. */
int journal_head_read(struct journal_head *head, struct arena *arena, const char *path, const char *text, size_t length,
                      size_t *at, int *line, struct error *error);

/* True if a complete line follows those of the header. */
bool journal_head_ends(const char *text, size_t length);
/* True if the file has only the beginning of a header: the run was killed while it wrote the first lines. */
bool journal_head_torn(const char *text, size_t length);
/* ERROR_DATA unless rows under the wanted header may be appended to the journal at `path`: it must have this header and
 * cutune's columns. `found` and `columns` (journal_print.h) are the journal's. */
int journal_head_check(const char *path, const struct journal_header *found, const int *columns, size_t column_count,
                       const struct journal_header *wanted, struct error *error);

#endif
