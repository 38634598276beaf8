/* Converts other tools' results to journals and back: T4, the community's JSON schema for tuning results; files of
 * Kernel Tuner, KTT, CLBlast and nvbench; and CSV tables. formats.h finds the reader of a file. */
#ifndef CUTUNE_EXCHANGE_EXCHANGE_H
#define CUTUNE_EXCHANGE_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/measurement.h"
#include "base/option.h"
#include "base/text.h"
#include "exchange/repeats.h"
#include "journal/journal.h"

enum { T4_BYTES_MAX = 512 << 20, T4_VALUES_MAX = 20 << 20 }; /* the values take about 1.3 GB while a file is read */

/* Options that describe a file. */
struct exchange_setup {
    const char *path;
    /* For the header; NULL: what the file says, else the kernel is named like the file, and others are unknown. They
     * choose rows of a table that has columns for them. */
    const char *kernel, *device, *problem;
    const char *default_; /* "TILE=16 PAD=0", the default configuration; NULL: unknown */
    const char *unit;     /* of times without a unit in the file: ns, us, ms, s; NULL: not given */
    /* Tables: names of columns; NULL: none. The others are parameters, unless `parameters` names those, separated by
     * commas. */
    const char *time, *status, *compile_time, *samples, *parameters;
    const struct option_list *measure_time, *ignore; /* `measure_time` columns are added up */
    struct text *notes; /* receives a line for each fact that a user should know about the import; NULL: none */
};

/* Append a journal to `journal`: one row per result, in the file's order. Invalid content is ERROR_DATA with its place;
 * an option that names a missing column is ERROR_USAGE. The text has a NUL behind its `length` bytes. */
typedef int exchange_reader(const struct exchange_setup *setup, const char *text, size_t length, struct text *journal,
                            struct error *error);
exchange_reader t4_import, kernel_tuner_import, ktt_import, clblast_import, nvbench_import, table_import;

/* Appends a T4 file. Exporting a journal that was imported from T4 restores every value; importing the export of any
 * other journal restores the journal. */
int t4_export(const struct journal *journal, struct text *out, struct error *error);

/* ---- Shared by the importers ---- */

/* Nanoseconds of a time unit in any common spelling; 0: unknown. */
double exchange_unit_ns(const char *unit);
/* Finds the status of a word: cutune's own names, T4's, KTT's, and those of Kernel Tuner's error classes. */
bool exchange_status(const char *word, enum status *status);
/* These words, for hints. */
#define EXCHANGE_STATUSES                                                                                              \
    "the statuses of cutune's journals, correct, compile, runtime, timeout, correctness, constraints, and the names "  \
    "of KTT's statuses and Kernel Tuner's error classes"
/* Converts to the ns of journals; false if the duration is negative, not a number or too long. */
bool exchange_duration(double value, double unit_ns, int64_t *duration_ns);

/* The journal under construction. */
struct exchange {
    const struct exchange_setup *setup;
    struct arena arena;
    struct journal_header header;
    struct text rows;
    struct repeats repeats;
    bool first_pass;         /* only collects repeated configurations */
    struct text default_key; /* repeats_key of the given default */
    bool has_default;        /* a row has it */
    struct text_set left_out;
    struct error *error;
};
/* Starts the header with the options. */
int exchange_start(struct exchange *exchange, const struct exchange_setup *setup, struct error *error);
/* Adds what the file says of them, unless the options do; NULL: nothing. Copies the texts. ERROR_DATA without a place.
 */
int exchange_describe(struct exchange *exchange, const char *kernel, const char *device, const char *problem);
/* Remembers that a part of the file, given by its name, has no place in a journal. */
int exchange_leave_out(struct exchange *exchange, const char *name);
/* Adds a line to the setup's notes. */
void exchange_note(const struct exchange *exchange, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Append a row, evidence, or a library; set the header's parameters and extra columns first. In a first pass,
 * exchange_add only collects the rows; afterwards, each row gets the median of its configuration. */
int exchange_add(struct exchange *exchange, const struct journal_row *row);
/* Ends the first pass. ERROR_USAGE for a default with other parameters than the file's. */
int exchange_second_pass(struct exchange *exchange);
int exchange_add_evidence(struct exchange *exchange, const struct journal_evidence *evidence);
int exchange_add_library(struct exchange *exchange, const struct journal_library *library);
/* Appends the whole journal. A header without a fingerprint gets that of the rows. */
int exchange_finish(struct exchange *exchange, struct text *journal);
void exchange_free(struct exchange *exchange);
/* Check that journals can hold a text as a parameter's name, or as its value: ERROR_DATA without a place. */
int exchange_check_name(const struct exchange *exchange, const char *name);
int exchange_check_value(const struct exchange *exchange, const char *name, const char *value);

#endif
