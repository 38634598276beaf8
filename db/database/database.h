/* The database: the best configuration per device, kernel, problem and aim of the objective, as CSV. Columns are found
 * by name, and each row states its schema. A row of a newer schema is an error; older ones are upgraded on reading.
 *
 * A row may also be a fit over sizes (db/sizes/size_fit.h): one per device, kernel and aim. It has a region in place of
 * its problem, "ROWS=64..16384", and no value. */
#ifndef CUTUNE_DATABASE_DATABASE_H
#define CUTUNE_DATABASE_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/provenance.h"
#include "base/text.h"
#include "database/csv.h"

enum {
    DATABASE_SCHEMA_BEST = 1, /* not a fit: programs that do not know fits read databases without fits */
    DATABASE_SCHEMA_FIT,
    DATABASE_SCHEMA = DATABASE_SCHEMA_FIT /* the newest */
};

/* One row. Texts are never NULL; "" is unknown. The caller owns them on writing, the database on reading. */
struct best {
    int64_t schema; /* as read from the file; database_put writes the row's own */
    struct provenance provenance;
    const char *objective;     /* "time", as in objectives.def; its aim, kernel, device and problem are the key */
    const char *configuration; /* "TILE=64 BLOCK_ROWS=8" */
    double value, low, high;   /* of the objective: median and its 95% interval */
    uint32_t samples;
    const char *states;            /* of the device behind the value: base/power.h; "": unknown */
    double default_value, speedup; /* NaN: the default was not measured */
    double ceiling_percent;        /* 100 * roofline time / value */
    int64_t valid, evaluated;
    const char *strategy;
    int64_t seed;
    const char *library;                 /* library that the winner was compared with, "cuBLAS 13.0"; "": none */
    double library_value, library_ratio; /* its value; the winner's speed as a fraction of its speed; NaN: none */
    const char *library_states;          /* of the device behind the library's value; "": unknown */
    const char *fit, *fit_quality; /* text of db/sizes/size_fit.h, and "sizes=40 mean=0.98"; "" or NULL: not a fit */
    const char
        *condition; /* validity of the configuration, a text for db/choose/selection_condition.h; "" or NULL: unknown */
};

/* The columns, as fields of struct best: those of database_columns.def, then the values of further objectives. `count`
 * may be NULL. */
const struct csv_column *database_columns(size_t *count);

bool database_is_fit(const struct best *best);
/* True for a column needed only by some rows: values of other objectives than the default one, fits, conditions,
 * states. */
bool database_optional(const struct csv_column *column);

struct database;

/* Reads the file; a missing file is an empty database. Errors state the line. */
int database_open(struct database **database, const char *path, struct error *error);
/* Reads the same from memory, for tests and fuzzing. */
int database_parse(struct database **database, const char *path, const char *text, size_t length, struct error *error);
/* Makes a database of one row; `path`: its file, with line 0. ERROR_VALUE for a row that no database can hold. */
int database_from_row(struct database **database, const char *path, const struct best *best, struct error *error);
/* True if a file that starts with these bytes is a database: its first line names the required columns. */
bool database_begins(const char *text, size_t length);
void database_close(struct database *database); /* may be NULL */

/* Rows are sorted by key. */
size_t database_count(const struct database *database);
const struct best *database_get(const struct database *database, size_t row);
/* The origin of a row: its file and line. */
const char *database_path(const struct database *database);
int database_line(const struct database *database, size_t row);
/* Compares by kernel, device, problem and objective. Fits are compared without the problem and follow the other rows
 * of a device. */
int database_compare_keys(const struct best *a, const struct best *b);
/* The generation of the file: the hash of its content (base/hash.h). A missing file has that of no bytes. "" for
 * database_from_row until it is set. */
const char *database_generation(const struct database *database);
/* Sets the generation of the file that the row comes from. */
void database_set_generation(struct database *database, const char generation[HASH_HEX_BYTES]);
/* ERROR_DATA with both hashes unless the database has this generation. */
int database_require_generation(const struct database *database, const char *generation, struct error *error);
/* All columns of the file, including unknown ones, and the cells of a row as written. */
const char *const *database_names(const struct database *database, size_t *count);
const char *const *database_cells(const struct database *database, size_t row);

/* Takes the lock that every change of the database at `path` needs: FILE.lock beside it, or beside the target of a
 * symbolic link. Waits for its holder as file_lock does. Close the descriptor *lock to release it. */
int database_lock(const char *path, int *lock, struct error *error);

enum database_outcome {
    DATABASE_ADDED,    /* no row had the key */
    DATABASE_REPLACED, /* the new row replaced the one with its key */
    /* The earlier row of this key is kept: */
    DATABASE_KEPT_FASTER, /* it is faster beyond both intervals */
    DATABASE_KEPT_TIED,   /* the intervals meet, and it is the earlier one */
    DATABASE_KEPT_NEWER,  /* it comes from newer tools */
    DATABASE_KEPT_LATER   /* it is of a later date, for another question, with the same configuration, or as a fit */
};
/* Puts one row into the file under its lock: reads the newest state, replaces the row of the same key by the rule of
 * database/rule.h, writes a temporary file, fsync, rename. Concurrent writers lose nothing. Keeps unknown columns
 * and the other rows unchanged, sorted by key. `incumbent`: a row of this key, read before, that the new one has played
 * against in one play-off, which decided for the new one; NULL: none. The new row replaces it, unless another process
 * has changed it since or it comes from newer tools: then the rule decides. Sets *previous_value, unless NULL, to the
 * value of the earlier row (NaN: none). */
int database_put(const char *path, const struct best *best, const struct best *incumbent,
                 enum database_outcome *outcome, double *previous_value, struct error *error);

/* ---- CSV output of commands (libcsv does the quoting) ---- */

struct text;
/* Appends one field, quoted if necessary, and a comma or, after the last field of a record, a newline. Puts an
 * apostrophe before a cell that a spreadsheet would run as a formula (text_is_formula); csv_records drops it. */
void csv_append(struct text *text, const char *field, int last);

#endif
