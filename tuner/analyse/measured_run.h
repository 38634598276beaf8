/* The results of runs, from journals and databases: the input of comparisons and reports. */
#ifndef CUTUNE_ANALYSE_MEASURED_RUN_H
#define CUTUNE_ANALYSE_MEASURED_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/measurement.h"
#include "base/provenance.h"
#include "database/database.h"
#include "journal/journal.h"
#include "sizes/size_fit.h"

struct measured_run_row {
    const char *const *values; /* one text per parameter */
    const struct measurement *measurement;
};

/* One kernel and problem on one device: all rows of a journal in their order, or the winner and the default of a
 * database's row. Texts are never NULL; unknown ones are "", unknown numbers NaN. */
struct measured_run {
    const char *path;
    size_t source;                     /* number of the call of measured_runs_add, from 0 */
    struct journal *journal;           /* NULL: from a database */
    struct provenance provenance;      /* a missing `roofline_ns` is derived from the copy ceiling */
    const struct objective *objective; /* of all its measurements */
    size_t parameter_count, row_count, row_room;
    const char *const *parameters;
    const struct measured_run_row *rows;
    size_t library_count; /* comparisons with libraries, in the order of the file; `values` in that of `parameters` */
    const struct journal_library *libraries;
    int torn_line; /* of a journal: line number of an incomplete last line, which is skipped; 0: none */
};

/* A fit over sizes in a database, which has a quality and no time. */
struct measured_fit {
    const char *path;
    size_t source;
    const struct best *row;
    const struct size_fit *fit; /* parsed from the row */
};

/* A skipped row of a database: its objective is unknown, or it has no value. */
struct measured_other {
    const char *path;
    size_t source;
    const struct best *row;
};

struct measured_runs {
    struct arena arena;
    size_t source_count;
    size_t count, room;
    struct measured_run *items;
    size_t fit_count, fit_room;
    struct measured_fit *fits; /* in the order of the files */
    size_t file_count, file_room;
    struct measured_run_file *files; /* open while their rows are in use */
    size_t other_count, other_room;
    struct measured_other *others;
    struct work *work; /* set by the caller: hears of each file of a folder; NULL: nobody listens */
};

/* Adds the contents of `path`. A file whose first line is "# cutune journal N" is a journal; any other is read as a
 * database. A folder stands for its files NAME.csv, sorted. ERROR_NOT_FOUND for a missing file. */
int measured_runs_add(struct measured_runs *measured, const char *path, struct error *error);

/* Adds a row to a measured run, for a configuration "TILE=64 PAD=1" of its parameters in any order. Copies the
 * measurement and its texts. */
int measured_run_append(struct measured_runs *measured, size_t measured_run, const char *configuration,
                        const struct measurement *measurement, struct error *error);

void measured_runs_free(struct measured_runs *measured);

#endif
