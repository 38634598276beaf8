/* Values that a shell offers for an option or argument, from what the program knows. */
#ifndef CUTUNE_COMMANDS_COMPLETION_VALUES_H
#define CUTUNE_COMMANDS_COMPLETION_VALUES_H

#include "base/text.h"

/* The kinds, as an option's choices. */
#define COMPLETION_VALUES "strategies|templates|kernels|devices|problems|columns|pages"

/* Appends the values of a kind, sorted, one a line. `line` has the words of the command line from behind the program's
 * name to the cursor: --db and --journal there name other files than the defaults. What cannot be read offers no
 * values. Text without control characters; lack of memory is recorded in `text`. */
void completion_values(const char *kind, const char *const *line, size_t count, struct text *text);

#endif
