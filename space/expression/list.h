/* Lists of values, in `param` and behind `in`: numbers, words, and ranges of integers `a..b`, `a..b step s` and `a..b
 * times k`. */
#ifndef CUTUNE_EXPRESSION_LIST_H
#define CUTUNE_EXPRESSION_LIST_H

#include "base/value.h"
#include "expression/lexer.h"

/* Reads a number with an optional sign. */
int list_number(struct lexer *lexer, struct value *value);

/* Reads a range. The current token is the ".." behind the number `first`, whose token is `start`. */
int list_range(struct lexer *lexer, const struct token *start, const struct value *first, struct value_range *range);

/* Advances to the value behind *value; false after the last. */
bool list_range_next(const struct value_range *range, int64_t *value);

#endif
