/* A journal: every evaluation of one kernel, problem, device and toolchain, appended as it ends. It is the file that a
 * run resumes from, that --replay searches, and that comparisons read.
 *
 * The file: first lines that start with '#', each "# key = value", say what was measured (readers of plain CSV skip
 * them as comments): "# cutune journal 1", then a key per row of provenance.def, "limit.NAME" per limit of the device,
 * "t4" in a journal that was made of a T4 file, and "parameters", how many there are. A key that is missing is
 * unknown: "", NaN, and 0 for a limit; one that nobody knows is an error. Then a CSV header: one column per parameter,
 * then those of journal_columns.def. Then a row per evaluation. Empty cell: unknown. */
#ifndef CUTUNE_DB_JOURNAL_H
#define CUTUNE_DB_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/measurement.h"
#include "base/provenance.h"
#include "base/text.h"
#include "db/csv.h"

enum { JOURNAL_SCHEMA = 1 };

/* What all rows of a journal share. Texts are borrowed on writing and belong to the journal on reading. */
struct journal_header {
    struct provenance provenance;
    const struct objective
        *objective; /* of all rows: the names of the columns tell it. NULL, on writing: the default */
    const char *t4; /* of a T4 file, the members that are in no row: JSON. NULL, "": the journal is not from one */
    size_t parameter_count;
    const char *const *parameters;
    /* Columns besides those of cutune: kept as they are, for whoever knows them. Not those of appended rows. */
    size_t extra_count;
    const char *const *extras;
};

struct journal_row {
    const char *const *values; /* one text per parameter, in the header's order */
    struct measurement measurement;
    const char *const *extras; /* one text per extra column; NULL: all are empty */
};

struct journal;

/* A header of which nothing is known. */
struct journal_header journal_header_unknown(void);

/* The columns behind the parameters, as fields of struct measurement: those of journal_columns.def for an objective. */
enum {
#define COLUMN(name, kind, field) JOURNAL_COLUMN_##name,
#define VALUE(field)              JOURNAL_COLUMN_##field,
#include "db/journal_columns.def"
#undef COLUMN
#undef VALUE
    JOURNAL_COLUMNS
};
void journal_columns(const struct objective *objective, struct csv_column columns[JOURNAL_COLUMNS]);

/* Where a run keeps its journal: "FOLDER/KERNEL.DEVICE.FINGERPRINT.csv", with every character outside [A-Za-z0-9._-]
 * replaced by '-' and the fingerprint cut to 16 digits. Arena memory; NULL when it is out. */
char *journal_path(struct arena *arena, const char *folder, const struct journal_header *header);

/* Is there a journal with a whole header? A run that is killed while it writes its first lines leaves none:
 * journal_open then writes a new one. */
bool journal_begun(const char *path);

/* Opens for appending, creating the folder, the file and its header when it is not there; rows that are there are read.
 * Holds an exclusive lock until journal_close: ERROR_BUSY when another run has it. A torn last line (a run was killed
 * while writing) is cut off and counted by journal_torn. A file whose columns or fingerprint are not `header`'s is
 * ERROR_DATA, a newer schema ERROR_SCHEMA, with line numbers. */
int journal_open(struct journal **journal, const char *path, const struct journal_header *header, struct error *error);

/* Reads without lock or change; a torn last line is passed over and counted. */
int journal_read(struct journal **journal, const char *path, struct error *error);

/* The same from memory, for tests and fuzzing. `path` is for messages. */
int journal_parse(struct journal **journal, const char *path, const char *text, size_t length, struct error *error);

/* A journal as text, for files that are written as a whole: the header with the names of the columns, and a row. What
 * no row can hold is ERROR_VALUE. */
int journal_print_header(struct text *text, const struct journal_header *header, struct error *error);
int journal_print_row(struct text *text, const struct journal_header *header, const struct journal_row *row,
                      struct error *error);

/* One write of one whole line. When it fails (full disk), what was written of the line is taken back, so the file stays
 * whole. */
int journal_append(struct journal *journal, const struct journal_row *row, struct error *error);

/* Flushes to the disk (fdatasync) and closes; the file's last error is reported here. NULL is fine. */
int journal_close(struct journal *journal, struct error *error);

const char *journal_file(const struct journal *journal);
const struct journal_header *journal_get_header(const struct journal *journal);
/* Rows that were read (not those that were appended since). The texts that a row points to are valid until
 * journal_close; equal texts of a parameter are the same pointer. */
size_t journal_row_count(const struct journal *journal);
struct journal_row journal_get_row(const struct journal *journal, size_t row);
/* The values alone. */
const char *const *journal_get_values(const struct journal *journal, size_t row);
/* 1 when a torn last line was dropped, else 0; and its line number. */
int journal_torn(const struct journal *journal, int *line);

#endif
