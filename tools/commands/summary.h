/* The end of a tuning run, as people and programs read it. */
#ifndef CUTUNE_COMMANDS_SUMMARY_H
#define CUTUNE_COMMANDS_SUMMARY_H

#include <cjson/cJSON.h>

#include "tuner/session.h"

/* Prints it to stdout as a table of facts. */
int summary_print(const struct session_subject *subject, const struct session_result *result, struct error *error);

/* The same as a record for csv and json: the database's columns, the counts of every status, and `replayed`, which is
 * true when nothing was measured; then elapsed_s is of the recorded time. The caller's; NULL when memory is out. */
cJSON *summary_record(const struct session_result *result);

#endif
