/* The statements `loop` and `end`, which repeat launches. */
#ifndef CUTUNE_LANGUAGE_LOOP_H
#define CUTUNE_LANGUAGE_LOOP_H

#include "language/parser.h"

int parse_loop(struct parser *parser);
int parse_end(struct parser *parser);

/* Checks the order of the statements: each loop has an `end`, and only launches or only a reference inside. */
int loops_check(struct parser *parser);

/* The innermost loop that is open; NULL: none. */
const struct loop *loop_open(const struct parser *parser);
/* Notes the counters that a launch in the open loop names. */
void loop_note(struct parser *parser, const struct step *step);

#endif
