/* The statement `source`: a command that prints the source of the kernel. */
#ifndef CUTUNE_LANGUAGE_SOURCE_COMMAND_H
#define CUTUNE_LANGUAGE_SOURCE_COMMAND_H

#include "language/parser.h"

int parse_source(struct parser *parser);

/* In a `kernel` statement, behind the name: true if no file follows, or the space has a `source` statement. */
bool source_command_is_kernel(const struct parser *parser);
/* Sets the name that messages give to a source that is no file. */
int source_command_path(struct parser *parser);
/* The same, and refuses a file. */
int source_command_kernel(struct parser *parser);

#endif
