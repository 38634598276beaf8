/* What a command does for each of several problem sizes, `-D N=1024,2048`. */
#ifndef CUTUNE_COMMANDS_SIZES_H
#define CUTUNE_COMMANDS_SIZES_H

#include "base/error.h"
#include "commands/find.h"
#include "space/sweep.h"

/* Makes the sweep of the command line and holds it against the space in the file (NULL: there is none), before
 * anything is done for its first size: ERROR_USAGE for a name or a value that the space does not take. */
int sizes_make(struct sweep **sweep, const struct space_file *file, const char *const *defines, size_t count,
               struct error *error);

/* Calls `run` for each size in turn. Of several, one without a result (nothing is valid, or an expression has no value)
 * is reported on standard error, and the next one follows; at the end the error says which these were, with the code of
 * the first of them. Any other error ends all. */
int sizes_each(struct sweep *sweep,
               int (*run)(void *context, size_t number, const char *const *defines, struct error *error), void *context,
               struct error *error);

#endif
