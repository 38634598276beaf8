/* Values that a shell offers for an option or argument, from the program's knowledge. */
#ifndef CUTUNE_COMMANDS_COMPLETION_VALUES_H
#define CUTUNE_COMMANDS_COMPLETION_VALUES_H

#include "base/text.h"

/* The kinds, as an option's choices. */
#define COMPLETION_VALUES "strategies|templates|kernels|devices|problems|columns|pages"

/* Appends the values of a kind, sorted, one a line. `line` has the words of the command line between the program's name
 * and the cursor; its --db and --journal replace the default files. Unreadable files offer no values. Leaves out texts
 * with control characters; records lack of memory in `text`. */
void completion_values(const char *kind, const char *const *line, size_t count, struct text *text);

#endif
