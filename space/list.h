/* Lists of values, in `param` and behind `in`: numbers, words, and ranges of integers `a..b`, `a..b step s` and `a..b
 * times k`. */
#ifndef CUTUNE_SPACE_LIST_H
#define CUTUNE_SPACE_LIST_H

#include "space/lexer.h"
#include "space/value.h"

/* A range: starts at `first`, then adds step or, with `times`, multiplies by step, up to `last`; at least one value. */
struct list_range {
    int64_t first, last, step;
    bool times;
};

/* Reads a number with an optional sign. */
int list_number(struct lexer *lexer, struct value *value);

/* Reads a range. The current token is the ".." behind the number `first`; `start` is the token of that number. */
int list_range(struct lexer *lexer, const struct token *start, const struct value *first, struct list_range *range);

/* Advances to the value behind *value; false after the last. */
bool list_range_next(const struct list_range *range, int64_t *value);

struct value_set_item {
    bool one;
    struct value value;
    struct list_range range;
};

/* Items in the braces of an `in`: each is one value (`one` is set) or a range without `times`. */
struct value_set {
    size_t count;
    const struct value_set_item *items;
};

/* True if an item equals the value in the sense of ==: 2 equals 2.0, a word equals only itself. */
bool value_set_has(const struct value_set *set, const struct value *value);

#endif
