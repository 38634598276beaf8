/* Reads the statement `per`: parameters that change the results. */
#ifndef CUTUNE_LANGUAGE_PER_H
#define CUTUNE_LANGUAGE_PER_H

#include "language/parser.h"

int parse_per(struct parser *parser);

/* Checks, after all statements are read, that each of their values has a reference. */
int per_check(struct parser *parser);

/* Checks, after the sources are read, that each of these parameters changes the results of the reference or the accept
 * kernel. */
int per_check_used(const struct space *space, struct error *error);

#endif
