/* Finds macros of the space that the source always defines itself, so that their values never reach it. */
#ifndef CUTUNE_SPACE_REDEFINED_H
#define CUTUNE_SPACE_REDEFINED_H

#include "space/private.h"

/* ERROR_DATA, at the line, for the first `#define` of a parameter or of a `define` statement's name that no condition
 * surrounds; an include guard is not one. The text is that of the kernel's own file, not of those it includes: a
 * condition may leave them out. */
int redefined_check(const struct space *space, const struct source_text *source, struct error *error);

#endif
