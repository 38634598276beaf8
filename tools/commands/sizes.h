/* Runs a command for each of several problem sizes, `-D N=1024,2048`. */
#ifndef CUTUNE_COMMANDS_SIZES_H
#define CUTUNE_COMMANDS_SIZES_H

#include "base/error.h"
#include "commands/find.h"
#include "language/sweep.h"

/* Makes the sweep of the command line. Checks it against the space in the file (NULL: none) before the first size runs:
 * ERROR_USAGE for a name or a value that the space does not accept. */
int sizes_make(struct sweep **sweep, const struct space_file *file, const char *const *defines, size_t count,
               struct error *error);

/* Calls `run` for each size in turn. If one of several has no result (nothing is valid, or an expression has no value),
 * reports it on standard error and continues. The final error names these sizes and has the code of the first. Any
 * other error ends the sweep. */
int sizes_each(struct sweep *sweep,
               int (*run)(void *context, size_t number, const char *const *defines, struct error *error), void *context,
               struct error *error);

#endif
