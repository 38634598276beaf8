/* Reading and checking where the expected results come from: the statement `reference`. */
#ifndef CUTUNE_SPACE_REFERENCE_H
#define CUTUNE_SPACE_REFERENCE_H

#include "space/parser.h"

int parse_reference(struct parser *parser);
/* Reads the name of a compared buffer. `thing`: what the statement says of it, for errors. */
int reference_output(struct parser *parser, const char *thing, struct buffer **output);

/* After all statements were read: completes the reference kernel, and checks that all outputs have expected results and
 * that no reference is needless. The steps are complete but for their numbers. */
int reference_check(struct parser *parser);

#endif
