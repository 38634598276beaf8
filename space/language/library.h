/* Reads the statement `library`. */
#ifndef CUTUNE_LANGUAGE_LIBRARY_H
#define CUTUNE_LANGUAGE_LIBRARY_H

#include "language/parser.h"

int parse_library(struct parser *parser);

#endif
