/* Unused declarations: misspelt or forgotten names. */
#ifndef CUTUNE_LANGUAGE_UNUSED_H
#define CUTUNE_LANGUAGE_UNUSED_H

#include "expression/space_internal.h"

/* Finds the macros that `define` and `option "-DNAME="` give the compiler. Call it before the sources are read. */
int unused_begin(struct space *space, struct error *error);
/* Notes which of these macros occur in a text for the compiler, including its directives, but not in comments and
 * strings. */
void unused_mark(struct space *space, const char *text, size_t length);

#endif
