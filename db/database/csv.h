/* CSV for the files of this layer: libcsv splits text into records; tables of columns convert cells from and to
 * structs. Malformed input is an error with its line. */
#ifndef CUTUNE_DATABASE_CSV_H
#define CUTUNE_DATABASE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"
#include "base/objective.h"
#include "base/text.h"

enum { CSV_CELLS_MAX = 4096 }; /* per record; more are ERROR_DATA */

struct csv_record {
    int line; /* first line; a quoted cell may span several */
    size_t count;
    const char *const *cells; /* without NUL bytes and the apostrophes of csv_append; valid until csv_take returns */
};
/* Takes a record. A result other than 0 stops the reading with that code; the line is added to its error. */
typedef int csv_take(void *context, const struct csv_record *record, struct error *error);

/* Reads every record of `text`; `line` is the number of its first line in `path`. Skips blank lines. A line ends
 * with LF, CR or CRLF; the last one may lack its end. Malformed quoting, an unterminated quoted cell, a NUL byte and
 * too many cells are ERROR_DATA. */
int csv_records(const char *path, const char *text, size_t length, int line, csv_take *take, void *context,
                struct error *error);

/* Reads the same in pieces, for files too large for memory. Every piece except the last ends with a newline. After a
 * failure, only csv_reader_close is valid. */
struct csv_reader;
int csv_reader_open(struct csv_reader **reader, const char *path, int line, csv_take *take, void *context,
                    struct error *error);
int csv_reader_feed(struct csv_reader *reader, const char *text, size_t length);
/* Ends the text. An unterminated quoted cell is ERROR_DATA. */
int csv_reader_end(struct csv_reader *reader);
/* Line of the next record. */
int csv_reader_line(const struct csv_reader *reader);
void csv_reader_close(struct csv_reader *reader); /* may be NULL */

/* Reads a whole regular file into `text`. */
int csv_load(const char *path, struct text *text, struct error *error);

/* Length of a byte order mark at the start: 3 or 0 bytes. */
size_t csv_mark_length(const char *text, size_t length);

enum csv_kind {
    CSV_STATUS,     /* enum status by its name */
    CSV_PLAYOFF,    /* enum playoff by its name */
    CSV_PROPOSER,   /* enum proposer by its name */
    CSV_SUSPICIONS, /* uint64_t: bits of enum suspicion, as their names, separated by '/'; empty: 0 */
    CSV_REAL,       /* double, not negative; empty: NaN. Written so that it reads back as the same number */
    CSV_ABOVE_ZERO, /* the same, not 0 */
    CSV_SHARE,      /* the same, at most 1 */
    CSV_VALUE,      /* double: a value of the column's objective; empty: NaN */
    CSV_NATURAL,    /* int64_t, not negative; empty: -1 */
    CSV_WHOLE,      /* int64_t, not negative; empty: 0 */
    CSV_INTEGER,    /* int64_t; empty: 0 */
    CSV_COUNT,      /* uint32_t; empty: 0 */
    CSV_TEXT,       /* const char *, borrowed */
    CSV_NAME,       /* likewise, without '/': part of the names of files, never a path */
    CSV_CHARS       /* char [size] */
};

/* True if the field is a double, or an integer of any size. */
bool csv_is_real(enum csv_kind kind);
bool csv_is_integer(enum csv_kind kind);

struct csv_column {
    const char *name;
    const char *meaning; /* with the unit, for the manual; NULL: not described */
    enum csv_kind kind;
    size_t offset, size; /* of the field in its struct */
    /* CSV_VALUE: the objective of the values. If the struct names the objective of its own values,
     * `objective_offset` is the offset of that text, and a column of another objective is empty. 0: all values are
     * of this objective. */
    const struct objective *objective;
    size_t objective_offset;
};
#define CSV_COLUMN(name, kind, type, field, meaning)                                                                   \
    {                                                                                                                  \
        name, meaning, kind, offsetof(type, field), sizeof(((type *)0)->field), NULL, 0                                \
    }

/* Reads a cell into its field of `object`. An invalid value is ERROR_DATA with the column's name and the cell. */
int csv_cell_read(const struct csv_column *column, const char *cell, void *object, struct error *error);

/* The number in a field of `object`, for comparisons; NaN if it is unknown or the column has no numbers. */
double csv_cell_number(const struct csv_column *column, const void *object);

/* The cell of a field: points into `object` or to `buffer`. ERROR_VALUE for a number that no cell can hold. */
enum { CSV_BUFFER_BYTES = SUSPICIONS_BYTES };
int csv_cell_text(const struct csv_column *column, const void *object, char buffer[CSV_BUFFER_BYTES], const char **cell,
                  struct error *error);

/* The number of the column with that name; -1 for an unknown name. */
int csv_column_find(const struct csv_column *columns, size_t count, const char *name);

/* ERROR_DATA if two names are equal. */
int csv_check_names(const char *const *names, size_t count, struct error *error);

#endif
