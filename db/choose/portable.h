/* Finds the configuration that is fast on all devices. */
#ifndef CUTUNE_DB_PORTABLE_H
#define CUTUNE_DB_PORTABLE_H

#include "choose/selection_row.h"

/* Adds the rows of kind CHOOSE_IS_COMMON after the `row_count` rows of the selection, whose `rows` has room for one
 * per row and time. They derive from each row's time, its default's, and `times`. The first of several times of one
 * device, sizes and configuration counts. */
int portable_rows(struct selection *selection, struct selection_row *rows, const struct selection_time *times,
                  size_t time_count, struct error *error);

#endif
