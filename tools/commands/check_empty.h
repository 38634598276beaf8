/* Explains why a space has no valid configuration. */
#ifndef CUTUNE_COMMANDS_CHECK_EMPTY_H
#define CUTUNE_COMMANDS_CHECK_EMPTY_H

#include "base/error.h"
#include "space/space.h"

/* ERROR_NOTHING_VALID for a bound space with an empty set. The hint names the constraints that no combination passes,
 * else a minimal group of mutually exclusive constraints. */
int check_empty(const struct space *space, struct error *error);

#endif
