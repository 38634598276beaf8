/* Facts that `cutune check` writes, one per row. Every row has the same members, as CSV requires; text prints them by
 * kind. */
#ifndef CUTUNE_COMMANDS_CHECK_ROW_H
#define CUTUNE_COMMANDS_CHECK_ROW_H

#include <cjson/cJSON.h>

/* Begins a row. NULL becomes null. */
cJSON *check_row(cJSON *rows, const char *kind, const char *name, const char *value);
/* Ends it. NULL strings, NaN and line 0 become null. */
void check_row_end(cJSON *row, const char *from, const char *default_, double removed, int line);

#endif
