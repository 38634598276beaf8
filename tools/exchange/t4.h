/* T4: what import and export agree on.
 *
 * A journal that was made of a T4 file has in its header, as `t4`, the members of the file besides `results`, and in
 * its last column, T4_COLUMN, the members of each result besides `configuration`: as they stood in the file, so that an
 * export gives back every digit. Its other columns are what cutune makes of them. Where the configuration's values are
 * no numbers and strings as the export would write them (true, "16"), it is in that column too.
 *
 * A T4 file that was made of any other journal has the journal's header in `metadata`, as T4_ORIGIN, and what is known
 * of a row in its `measurements`, by the names of the journal's columns. */
#ifndef CUTUNE_EXCHANGE_T4_H
#define CUTUNE_EXCHANGE_T4_H

#include "base/text.h"
#include "db/journal.h"

#define T4_COLUMN    "t4"
#define T4_ORIGIN    "cutune_journal"
#define T4_OBJECTIVE "time"

/* Appends the object: numbers as numbers, anything else as strings. */
void t4_configuration(struct text *out, const struct journal_header *header, const char *const *values);
/* Appends a JSON string. */
void t4_string(struct text *out, const char *text);
/* A number as JSON writes it. */
bool t4_is_number(const char *text);

#endif
