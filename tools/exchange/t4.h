/* T4: conventions of import and export.
 *
 * The header of a journal imported from T4 holds, as `t4`, the file's members except `results`. Its last column,
 * T4_COLUMN, holds each result's members except `configuration`. Both keep the file's text, so that an export restores
 * every digit. The other columns hold the converted values. If the configuration's values are not the numbers and
 * strings that an export would write (true, "16"), that column contains the configuration too.
 *
 * A T4 file exported from any other journal has the journal's header in `metadata`, as T4_ORIGIN, and the known values
 * of a row in its `measurements`, named like the journal's columns. Evidence is not a result: it is in `metadata`, too,
 * as T4_EVIDENCE, a list of objects with `configuration` and `launches`; of a launch, `kernel` and the known numbers by
 * name. */
#ifndef CUTUNE_EXCHANGE_T4_H
#define CUTUNE_EXCHANGE_T4_H

#include "base/text.h"
#include "db/journal.h"
#include "exchange/json_read.h"

#define T4_COLUMN    "t4"
#define T4_ORIGIN    "cutune_journal"
#define T4_EVIDENCE  "cutune_evidence"
#define T4_OBJECTIVE "time"

/* Appends the object: numbers as numbers, everything else as strings. */
void t4_configuration(struct text *out, const struct journal_header *header, const char *const *values);
/* Appends a JSON string. */
void t4_string(struct text *out, const char *text);
/* Whether the text is a number in JSON's notation. */
bool t4_is_number(const char *text);
/* Appends the list of a journal's evidence. */
void t4_evidence(struct text *out, const struct journal *journal);
/* Reads a launch of such a list. Skips numbers that this version does not know. */
int t4_read_launch(const struct json_text *json, const cJSON *launch, size_t at, struct evidence *evidence);

#endif
