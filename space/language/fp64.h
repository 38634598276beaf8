/* Checks the tolerances in fp64 against the launches of the reference that compute results in double precision. */
#ifndef CUTUNE_LANGUAGE_FP64_H
#define CUTUNE_LANGUAGE_FP64_H

#include "language/parser.h"

/* Every output with a tolerance in fp64 is passed to such a launch, as a whole, and no such launch is superfluous. The
 * arguments of the reference are complete. */
int fp64_check(struct parser *parser);

#endif
