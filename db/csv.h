/* CSV for the files of this layer: records out of a text through libcsv, cells in and out of structs by tables of
 * columns. Strict: what is not well-formed is an error with its line, never a guess. */
#ifndef CUTUNE_DB_CSV_H
#define CUTUNE_DB_CSV_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/objective.h"
#include "base/text.h"

enum { CSV_CELLS_MAX = 4096 }; /* of one record; more is ERROR_DATA */

struct csv_record {
    int line; /* on which it begins; a quoted cell may go on over several */
    size_t count;
    const char *const *cells; /* without NUL bytes inside; valid until the function that gets the record returns */
};
/* Takes a record; not 0 stops the reading with that code. The line is added to its error. */
typedef int csv_take(void *context, const struct csv_record *record, struct error *error);

/* Reads every record of `text`; `line` is the number of its first line in `path`. Blank lines are passed over; a line
 * ends with LF, CR or CRLF; the last one may lack it. Malformed quoting, a quoted cell without an end, a NUL byte and
 * too many cells are ERROR_DATA. */
int csv_records(const char *path, const char *text, size_t length, int line, csv_take *take, void *context,
                struct error *error);

/* The same in pieces, for files that need not be in memory as a whole: every piece but the last ends with a newline. A
 * failed reader can only be closed. */
struct csv_reader;
int csv_reader_open(struct csv_reader **reader, const char *path, int line, csv_take *take, void *context,
                    struct error *error);
int csv_reader_feed(struct csv_reader *reader, const char *text, size_t length);
/* The end of the text: a quoted cell may not go on. */
int csv_reader_end(struct csv_reader *reader);
/* Of what comes next. */
int csv_reader_line(const struct csv_reader *reader);
void csv_reader_close(struct csv_reader *reader); /* may be NULL */

/* ERROR_IO when `path` is there and is no regular file: a device or a pipe could be endless. */
int csv_check_file(const char *path, struct error *error);
/* The same, then reads the whole file into `text`. */
int csv_load(const char *path, struct text *text, struct error *error);

/* Bytes of a byte order mark at the start: 3 or 0. */
size_t csv_mark_length(const char *text, size_t length);

enum csv_kind {
    CSV_STATUS,   /* enum status by its name */
    CSV_PLAYOFF,  /* enum playoff by its name */
    CSV_PROPOSER, /* enum proposer by its name */
    CSV_REAL,     /* double, finite and not negative; empty: NaN. Written so that it reads back as the same number */
    CSV_VALUE,    /* double: a value of the column's objective; empty: NaN */
    CSV_NATURAL,  /* int64_t; empty: -1, and no other negative one */
    CSV_INTEGER,  /* int64_t; empty: 0 */
    CSV_COUNT,    /* uint32_t; empty: 0 */
    CSV_TEXT,     /* const char *, borrowed */
    CSV_CHARS     /* char [size] */
};

struct csv_column {
    const char *name;
    enum csv_kind kind;
    size_t offset, size; /* of the field in its struct */
    /* CSV_VALUE: whose value it is. Where the struct names the objective of its own values, `objective_offset` is that
     * text's: a column of another objective is then empty. 0: all values are of this one. */
    const struct objective *objective;
    size_t objective_offset;
};
#define CSV_COLUMN(name, kind, type, field)                                                                            \
    {                                                                                                                  \
        name, kind, offsetof(type, field), sizeof(((type *)0)->field), NULL, 0                                         \
    }

/* Reads a cell into its field of `object`; what it cannot be is ERROR_DATA that names the column and shows the cell. */
int csv_cell_read(const struct csv_column *column, const char *cell, void *object, struct error *error);

/* The number in a field of `object`, for comparing; NaN: unknown, or a column of no numbers. */
double csv_cell_number(const struct csv_column *column, const void *object);

/* The cell of a field: points into `object` or to `buffer`. ERROR_VALUE for a number that no cell can hold. */
enum { CSV_BUFFER_BYTES = 40 };
int csv_cell_text(const struct csv_column *column, const void *object, char buffer[CSV_BUFFER_BYTES], const char **cell,
                  struct error *error);

/* The column of that name, or -1. */
int csv_column_find(const struct csv_column *columns, size_t count, const char *name);

/* Two equal names are ERROR_DATA. */
int csv_check_names(const char *const *names, size_t count, struct error *error);

#endif
