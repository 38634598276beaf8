/* Other people's results as journals, and journals as theirs: T4, the community's schema for tuning results (JSON), and
 * CSV tables. */
#ifndef CUTUNE_EXCHANGE_EXCHANGE_H
#define CUTUNE_EXCHANGE_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/measurement.h"
#include "base/option.h"
#include "base/text.h"
#include "db/journal.h"

enum { T4_BYTES_MAX = 512 << 20, T4_VALUES_MAX = 20 << 20 }; /* the values take some 1.3 GB while it is read */

/* What the command line says of a file. */
struct exchange_setup {
    const char *path;
    const char *kernel, *device, *problem; /* for the header; NULL: kernel by the file's name, the others unknown */
    const char *unit; /* of times whose unit the file does not say: ns, us, ms, s; NULL: not said */
    /* CSV: names of columns; NULL: there is none. The others are parameters. */
    const char *time, *status, *compile_time, *samples;
    const struct option_list *measure_time, *ignore; /* the former are added up */
};

/* Append a journal to `journal`: one row for each result, in the file's order. What does not fit is ERROR_DATA with its
 * place; what the command line says of a column that is not there, ERROR_USAGE. */
int t4_import(const struct exchange_setup *setup, const char *text, size_t length, struct text *journal,
              struct error *error);
int table_import(const struct exchange_setup *setup, const char *text, size_t length, struct text *journal,
                 struct error *error);

/* Appends a T4 file. A journal that came from one gives back every value of it; of any other, an import of the export
 * gives back the journal. */
int t4_export(const struct journal *journal, struct text *out, struct error *error);

/* ---- What the importers share ---- */

/* Nanoseconds of a unit of time in any common spelling; 0: unknown. */
double exchange_unit_ns(const char *unit);
/* The status that a word stands for: cutune's own names, T4's, and those of Kernel Tuner's classes. */
bool exchange_status(const char *word, enum status *status);
/* The words, for hints. */
#define EXCHANGE_STATUSES                                                                                              \
    "the statuses of cutune's journals, correct, compile, runtime, timeout, correctness, constraints, and the names "  \
    "of Kernel Tuner's error classes"
/* A duration in ns as the journals hold it; false when it is negative, no number or too long. */
bool exchange_duration(double value, double unit_ns, int64_t *duration_ns);

/* The journal that is being made of a file. */
struct exchange {
    const struct exchange_setup *setup;
    struct arena arena;
    struct journal_header header;
    struct text rows;
    struct error *error;
};
/* What the command line says, as a header. */
int exchange_start(struct exchange *exchange, const struct exchange_setup *setup, struct error *error);
/* Appends a row once the header's parameters and extra columns are set. */
int exchange_add(struct exchange *exchange, const struct journal_row *row);
/* Appends the whole journal; without a fingerprint in its header it gets that of its rows. */
int exchange_finish(struct exchange *exchange, struct text *journal);
void exchange_free(struct exchange *exchange);
/* Whether a text can be a parameter's name, or its value, in journals: ERROR_DATA without a place. */
int exchange_check_name(const struct exchange *exchange, const char *name);
int exchange_check_value(const struct exchange *exchange, const char *name, const char *value);

#endif
