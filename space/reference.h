/* Reading and checking where the expected results come from: the statement `reference`. */
#ifndef CUTUNE_SPACE_REFERENCE_H
#define CUTUNE_SPACE_REFERENCE_H

#include "space/parser.h"

int parse_reference(struct parser *parser);

/* After all statements were read: completes the reference kernel. The steps are complete but for their numbers. */
int reference_check(struct parser *parser);

#endif
