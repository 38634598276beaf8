/* Best configurations from a file that is a database or a journal. */
#ifndef CUTUNE_JOURNAL_RESULTS_H
#define CUTUNE_JOURNAL_RESULTS_H

#include "database/database.h"

/* Opens a database, or a journal as the database of the row that its run would have saved (db/journal/winner.h), with
 * the recorded device and date. The number of valid configurations, the strategy and the seed are then unknown. A
 * missing file is an empty database. *torn_line: the line of a journal's incomplete last row, which is ignored; 0:
 * none. ERROR_NOT_FOUND for a journal without a winner, ERROR_DATA for one that names no kernel or device and for a
 * file that is neither, and the errors of journal_read and database_open. */
int results_open(struct database **database, const char *path, int *torn_line, struct error *error);

#endif
