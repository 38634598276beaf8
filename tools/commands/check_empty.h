/* Why a space has no valid configuration. */
#ifndef CUTUNE_COMMANDS_CHECK_EMPTY_H
#define CUTUNE_COMMANDS_CHECK_EMPTY_H

#include "base/error.h"
#include "space/space.h"

/* ERROR_NOTHING_VALID for a bound space whose set is empty, with the constraints to blame: those that no combination
 * passes, else some that exclude each other and of which none could be left out. */
int check_empty(const struct space *space, struct error *error);

#endif
