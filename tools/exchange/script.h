/* Runs a Python script. */
#ifndef CUTUNE_EXCHANGE_SCRIPT_H
#define CUTUNE_EXCHANGE_SCRIPT_H

#include "base/error.h"
#include "base/text.h"

enum { SCRIPT_ARGUMENTS_MAX = 8, SCRIPT_OUTPUT_BYTES_MAX = 64 << 20 };

/* Runs the script at `path` (a file, or a folder with a __main__.py) with the first python3 in PATH, isolated from the
 * user's modules and settings. The list `arguments` ends with NULL. Standard input is `input`; standard output replaces
 * `output`; standard error is shared. ERROR_NOT_FOUND if python3 is missing. ERROR_WORKER if it does not start, exits
 * with a status other than 0, or is killed. */
int script_run(const char *path, const char *const *arguments, const struct text *input, struct text *output,
               struct error *error);

#endif
