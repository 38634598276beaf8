/* Macros of parameters in the sources: `param NAME as "MACRO"` gives one another name. */
#ifndef CUTUNE_LANGUAGE_MACRO_H
#define CUTUNE_LANGUAGE_MACRO_H

#include "language/parser.h"

/* Reads `as "MACRO"`, if the current token is `as`, into parameter->macro; otherwise the macro has the parameter's
 * name. */
int macro_parse(struct parser *parser, struct parameter *parameter);

/* Checks that no two macros have the same name, and writes the macros of renamed parameters into the names of kernels:
 * in `kernel scale<TX>`, TX is the parameter. Call it once all statements are read. */
int macros_check(struct parser *parser);

#endif
