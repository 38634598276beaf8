/* Calls of the public library by commands that answer as it does. */
#ifndef CUTUNE_COMMANDS_LIBRARY_CALLS_H
#define CUTUNE_COMMANDS_LIBRARY_CALLS_H

#include <cutune.h>

#include "base/error.h"
#include "base/option.h"
#include "base/text.h"

/* Copies an error of the library; `error` may be NULL. Returns its code. */
int library_error(const struct cutune_error *from, struct error *error);

/* Appends the sizes of -D options as the library takes them, "ROWS=4096 COLS=4096". */
void library_problem(const struct option_list *defines, struct text *problem);

#endif
