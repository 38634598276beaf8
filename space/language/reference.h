/* Reads and checks the statement `reference`: the sources of expected results. */
#ifndef CUTUNE_LANGUAGE_REFERENCE_H
#define CUTUNE_LANGUAGE_REFERENCE_H

#include "language/parser.h"

int parse_reference(struct parser *parser);
/* Reads the name of a compared buffer. `thing`: as in "a tolerance", for errors. */
int reference_output(struct parser *parser, const char *thing, struct buffer **output);

/* Completes the reference kernel once all statements are read. Checks that all outputs have expected results and that
 * no reference is superfluous. The steps are complete except for their numbers. */
int reference_check(struct parser *parser);

#endif
