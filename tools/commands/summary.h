/* Summary of a tuning run, for people and programs. */
#ifndef CUTUNE_COMMANDS_SUMMARY_H
#define CUTUNE_COMMANDS_SUMMARY_H

#include <cjson/cJSON.h>

#include "session/session.h"

/* Prints a table of facts to stdout. */
int summary_print(const struct session_subject *subject, const struct session_result *result, struct error *error);

/* Makes the same as a record for csv and json: the database's columns, the counts of every status, and `replayed`,
 * which is true if nothing was measured; elapsed_s is then the recorded time. A nested format also gets the energies.
 * The caller owns it; NULL when out of memory. */
cJSON *summary_record(const struct session_subject *subject, const struct session_result *result, const char *format);

#endif
