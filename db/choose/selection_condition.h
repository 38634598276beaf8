/* The conditions under which rows of a selection are valid, in the language of db/sizes/size_condition.h, on problem
 * sizes and limits of the device, by their names in base/limits.def. */
#ifndef CUTUNE_DB_SELECTION_CONDITION_H
#define CUTUNE_DB_SELECTION_CONDITION_H

#include "choose/selection.h"

/* Reads the conditions of all rows from the database's. Common rows have those of a row with their configuration;
 * the default has none. ERROR_DATA for a text that is not a condition. */
int selection_conditions_read(struct selection *selection, struct selection_row *rows, struct error *error);

/* True if a row may be chosen. On its own device (`own`) the row was measured, so only the part that names sizes is
 * checked, and an unknown limit allows the row. On another device, an unknown limit forbids it. */
bool selection_valid(const struct selection *selection, size_t row, const struct selection_device *device,
                     const long double *sizes, bool own);

#endif
