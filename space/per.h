/* The statement `per`: params that change what is computed. */
#ifndef CUTUNE_SPACE_PER_H
#define CUTUNE_SPACE_PER_H

#include "space/parser.h"

int parse_per(struct parser *parser);

/* After all statements were read: checks that something is computed for each of their values. */
int per_check(struct parser *parser);

/* After the sources were read: checks that each of these params changes what the reference or the accept kernel
 * computes. */
int per_check_used(const struct space *space, struct error *error);

#endif
