/* A journal: every evaluation of one kernel, problem, device and toolchain, appended as it ends. A run resumes from it,
 * --replay searches it, and comparisons read it.
 *
 * The file begins with lines "# key = value" that describe the run; readers of plain CSV skip them as comments. The
 * first is "# cutune journal 1". A key per row of provenance.def follows, "limit.NAME" per limit of the device, "t4" in
 * a journal imported from a T4 file, and "parameters", their number. A missing key is unknown: "", NaN, or 0 for a
 * limit; an unrecognised key is an error. Then come a CSV header, with one column per parameter and those of
 * journal_columns.def, and a row per evaluation. An empty cell is unknown.
 *
 * Three kinds of rows are not evaluations, and are read separately. A row with the status `evidence` describes one
 * launch of its configuration. A row with the status `library` has the time of a library that its configuration, the
 * winner, was compared with. A row with the status `energy` has the energy of its configuration, in rounds. */
#ifndef CUTUNE_JOURNAL_JOURNAL_H
#define CUTUNE_JOURNAL_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/energy.h"
#include "base/error.h"
#include "base/evidence.h"
#include "base/hash.h"
#include "base/measurement.h"
#include "base/provenance.h"
#include "base/text.h"
#include "database/csv.h"

enum { JOURNAL_SCHEMA = 1 };

/* The common properties of all rows. The caller owns the texts on writing, the journal on reading. */
struct journal_header {
    struct provenance provenance;
    const struct objective *objective; /* of all rows, as the columns' names show; NULL, on writing: the default */
    const char *t4; /* JSON of a T4 file's members outside of the rows; NULL or "": not imported from T4 */
    size_t parameter_count;
    const char *const *parameters;
    /* Columns other than cutune's, kept unchanged for other readers. Appended rows leave them empty. */
    size_t extra_count;
    const char *const *extras;
};

struct journal_row {
    const char *const *values; /* one text per parameter, in the header's order */
    struct measurement measurement;
    const char *const *extras; /* one text per extra column; NULL: all empty */
    const char *samples;       /* cell of the column JOURNAL_SAMPLES, if there is one; NULL: that of `extras` */
};

/* The extra column of the samples behind a median, times of a run (base/samples_text.h). Only journals of runs that
 * keep them have it. As an extra column, earlier versions keep it unchanged. */
#define JOURNAL_SAMPLES "samples_ns"
/* The extras of a header with this column alone. */
extern const char *const journal_samples_column[1];

/* The evidence of a configuration: the last one of each of its launches. */
struct journal_evidence {
    const char *const *values;       /* one text per parameter, in the header's order */
    const struct evidence *launches; /* by number of the launch */
    size_t count;
};

/* A library that a winner was compared with, both measured together. */
struct journal_library {
    const char *const *values; /* of the winner: one text per parameter, in the header's order */
    const char *name;          /* "cuBLAS 13.0" */
    char hash[HASH_HEX_BYTES]; /* of its file and options */
    double value, low, high;   /* of the library, in the objective's unit */
    uint32_t samples;
    double winner_value;
    const char *states, *winner_states; /* of the device behind the two values: base/power.h; "" or NULL: unknown */
    /* Measured in turn; NULL: unknown. A journal has their rounds alone, and the work. */
    const struct energy *energy, *winner_energy;
};

/* The energy of a configuration. Those of one group were measured in turn; the last group counts. */
struct journal_energy {
    const char *const *values; /* one text per parameter, in the header's order */
    struct energy energy;
};

/* Returns the speed of the winner as a fraction of the library's; NaN if they ran in different power states. */
double journal_library_ratio(const struct journal_library *library, const struct objective *objective);

struct journal;

/* A header with every field unknown. */
struct journal_header journal_header_unknown(void);

/* The columns behind the parameters, as fields of struct measurement: those of journal_columns.def for an objective. */
enum {
#define COLUMN(name, kind, field, meaning) JOURNAL_COLUMN_##name,
#define VALUE(field, meaning)              JOURNAL_COLUMN_##field,
#define WORK(name, kind, field, meaning)   JOURNAL_COLUMN_##name,
#define RENAMED(earlier, name)
#include "journal/journal_columns.def"
#undef COLUMN
#undef VALUE
#undef WORK
#undef RENAMED
    JOURNAL_COLUMNS
};
/* Returns the number of columns; those about work are present only if the objective is per work. */
size_t journal_columns(const struct objective *objective, struct csv_column columns[JOURNAL_COLUMNS]);
/* Index of the column with this name, or with the name that it had in earlier versions; -1: none. */
int journal_column_find(const struct csv_column *columns, size_t count, const char *name);
/* True if the column, JOURNAL_COLUMN_..., is among a file's (journal_print.h). */
bool journal_columns_have(const int *columns, size_t count, int column);

/* The path of a run's journal: "FOLDER/KERNEL.DEVICE.FINGERPRINT.csv". Every character outside [A-Za-z0-9._-]
 * becomes '-'; the fingerprint is cut to 16 digits. Arena memory; NULL when out of memory. */
char *journal_path(struct arena *arena, const char *folder, const struct journal_header *header);

/* True if a journal with a complete header exists. A run killed while it writes the first lines leaves an incomplete
 * one, which journal_open replaces. */
bool journal_begun(const char *path);

/* Opens for appending: creates the folder, the file and its header if missing, and reads existing rows. Holds an
 * exclusive lock until journal_close: ERROR_BUSY if another run has it. Removes a torn last line (a run was killed
 * while writing it); journal_torn counts it. Adds the extra column JOURNAL_SAMPLES, empty in the existing rows, if the
 * header has it and the file does not. A file with other columns or another fingerprint than `header` is ERROR_DATA, a
 * newer schema ERROR_SCHEMA, with line numbers. */
int journal_open(struct journal **journal, const char *path, const struct journal_header *header, struct error *error);

/* Prepares a journal that was read, but not opened, for appending until journal_pause, as journal_open does but
 * without reading it again. ERROR_BUSY also if the length of the file has changed since. */
int journal_resume(struct journal *journal, const struct journal_header *header, struct error *error);

/* Reads without locking or changing the file; skips and counts a torn last line. */
int journal_read(struct journal **journal, const char *path, struct error *error);

/* Reads the same from memory, for tests and fuzzing. `path` is for messages. */
int journal_parse(struct journal **journal, const char *path, const char *text, size_t length, struct error *error);

/* A journal as text, for files written at once: the header with the column names, and a row. ERROR_VALUE for a value
 * that no row can hold. */
int journal_print_header(struct text *text, const struct journal_header *header, struct error *error);
int journal_print_row(struct text *text, const struct journal_header *header, const struct journal_row *row,
                      struct error *error);
/* Prints a row for each launch. */
int journal_print_evidence(struct text *text, const struct journal_header *header,
                           const struct journal_evidence *evidence, struct error *error);

int journal_print_library(struct text *text, const struct journal_header *header, const struct journal_library *library,
                          struct error *error);

int journal_print_energy(struct text *text, const struct journal_header *header, const struct journal_energy *energy,
                         struct error *error);

/* Append complete lines: one, and one for each launch. On failure (full disk), remove the part already written, so
 * that the file stays intact. */
int journal_append(struct journal *journal, const struct journal_row *row, struct error *error);
int journal_append_evidence(struct journal *journal, const struct journal_evidence *evidence, struct error *error);
int journal_append_library(struct journal *journal, const struct journal_library *library, struct error *error);
int journal_append_energy(struct journal *journal, const struct journal_energy *energy, struct error *error);

/* Flushes to the disk (fdatasync) and releases the lock: nothing can be appended afterwards. Reports the file's last
 * error. */
int journal_pause(struct journal *journal, struct error *error);
/* Likewise, and frees the journal; reports the file's last error. Accepts NULL. */
int journal_close(struct journal *journal, struct error *error);

/* The number of the extra column JOURNAL_SAMPLES; extra_count: the header lacks it. */
size_t journal_find_samples(const struct journal_header *header);

/* True if the file has a column, JOURNAL_COLUMN_...: earlier versions wrote fewer. */
bool journal_has_column(const struct journal *journal, int column);

const char *journal_file(const struct journal *journal);
const struct journal_header *journal_get_header(const struct journal *journal);
/* The evaluations that were read, without rows appended since. Texts of a row are valid until journal_close; equal
 * texts of a parameter share one pointer. */
size_t journal_row_count(const struct journal *journal);
struct journal_row journal_get_row(const struct journal *journal, size_t row);
/* Only the values of a row. */
const char *const *journal_get_values(const struct journal *journal, size_t row);
/* Evidence that was read or appended, by configuration in order of first appearance. Valid until more is appended. */
size_t journal_evidence_count(const struct journal *journal);
struct journal_evidence journal_get_evidence(const struct journal *journal, size_t number);
/* The evidence of a configuration, given by its values in the header's order; NULL without any. */
const struct journal_evidence *journal_find_evidence(const struct journal *journal, const char *const *values);
/* The libraries that were read, in the order of the file, and their number. Valid until journal_close. */
const struct journal_library *journal_get_libraries(const struct journal *journal, size_t *count);
/* The last library that a configuration, given by its values in the header's order, was compared with; NULL without
 * any. Valid until journal_close. */
const struct journal_library *journal_find_library(const struct journal *journal, const char *const *values);
/* The energies that were read or appended, in this order, and their number. Valid until more is appended. */
const struct journal_energy *journal_get_energies(const struct journal *journal, size_t *count);
/* The last group of these, all of which count; NULL and 0 without any. */
const struct journal_energy *journal_last_energies(const struct journal *journal, size_t *count);
/* 1 if a torn last line was dropped, with its line number, else 0. */
int journal_torn(const struct journal *journal, int *line);

#endif
