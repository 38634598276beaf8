/* T4: conventions of import and export.
 *
 * The header of a journal imported from T4 holds, as `t4`, the file's members except `results`. Its last column,
 * T4_COLUMN, holds each result's members except `configuration`. Both keep the file's text, so that an export restores
 * every digit. The other columns hold the converted values. If the configuration's values are not the numbers and
 * strings that an export would write (true, "16"), that column contains the configuration too.
 *
 * A T4 file exported from any other journal has the journal's header in `metadata`, as T4_ORIGIN, and the known values
 * of a row in its `measurements`, named like the journal's columns. The only one of a result's `runtimes` is the
 * median, which T4_RUNTIMES says (T4_MEDIANS). If the journal keeps samples (JOURNAL_SAMPLES), it says T4_KEPT, and of
 * each result with a time, a measurement T4_RUNTIMES says T4_SAMPLES or T4_MEDIAN. Each configuration is one result, by
 * the row that counts: that of a play-off or the last. Its other rows are in `metadata`, as T4_EARLIER, a list of such
 * results with their `row` in the journal, from 0. Evidence is not a result: it is in `metadata`, too, as T4_EVIDENCE,
 * a list of objects with `configuration` and `launches`; of a launch, `kernel` and the known numbers by name. So are
 * the libraries that configurations were compared with, as T4_LIBRARIES: objects with `configuration`, `name`, `hash`,
 * and as numbers `value`, `low`, `high`, `samples` and `winner_value`. A configuration with energies has those of the
 * last group among its measurements and objectives, without their rounds. */
#ifndef CUTUNE_EXCHANGE_T4_H
#define CUTUNE_EXCHANGE_T4_H

#include "base/text.h"
#include "exchange/json_read.h"
#include "journal/journal_evidence.h"

#define T4_COLUMN    "t4"
#define T4_ORIGIN    "cutune_journal"
#define T4_EVIDENCE  "cutune_evidence"
#define T4_LIBRARIES "cutune_libraries"
#define T4_EARLIER   "cutune_earlier"
#define T4_RUNTIMES  "runtimes"
#define T4_MEDIANS   "the median of the samples"
#define T4_KEPT      "the samples, or their median, as the measurement " T4_RUNTIMES " of each result says"
#define T4_SAMPLES   "samples"
#define T4_MEDIAN    "median"
#define T4_OBJECTIVE "time"

/* Appends the object: numbers as numbers, everything else as strings. */
void t4_configuration(struct text *out, const struct journal_header *header, const char *const *values);
/* Appends a JSON string. */
void t4_string(struct text *out, const char *text);
/* True if the text is a number in JSON's notation. */
bool t4_is_number(const char *text);
/* Appends the elements of a list of times to the text: those of base/samples_text.h. */
int t4_samples(struct text *out, const char *samples, struct error *error);
/* Reads a list of times as samples of base/samples_text.h, which replace the text. */
int t4_read_samples(const struct json_text *json, const struct json_member *runtimes, struct text *samples);
/* Appends the list of a journal's evidence. */
void t4_evidence(struct text *out, const struct journal *journal);
/* Adds the launches of a configuration in such a list as a journal keeps them: of equal launches, the last one. Skips
 * numbers that this version does not know. */
int t4_read_launches(const struct json_text *json, const struct json_member *launches, const char *const *values,
                     size_t width, struct journal_evidences *evidences);

/* The same of its libraries. */
void t4_libraries(struct text *out, const struct journal *journal);
/* Reads an item of such a list without its configuration, which goes to *configuration. The library borrows from the
 * JSON. */
int t4_read_library(const struct json_text *json, const cJSON *object, size_t at, struct json_member *configuration,
                    struct journal_library *library);

#endif
