/* Writes all valid configurations as CSV. */
#ifndef CUTUNE_COMMANDS_CHECK_LIST_H
#define CUTUNE_COMMANDS_CHECK_LIST_H

#include "base/error.h"
#include "set/valid_set.h"
#include "space/space.h"

/* Writes a header with the parameters' names, and a record per configuration in the order of the set, to a file
 * descriptor. `name` is for errors. */
int check_list(const struct space *space, const struct valid_set *set, int descriptor, const char *name,
               struct error *error);

#endif
