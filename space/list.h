/* Lists of values as they are written in `param` and behind `in`: numbers, words, and ranges of integers, `a..b`,
 * `a..b step s` and `a..b times k`. */
#ifndef CUTUNE_SPACE_LIST_H
#define CUTUNE_SPACE_LIST_H

#include "space/lexer.h"
#include "space/value.h"

/* first, then each + step, or * step with `times`, as long as it is no more than `last`; at least one value. */
struct list_range {
    int64_t first, last, step;
    bool times;
};

/* A number with an optional sign. */
int list_number(struct lexer *lexer, struct value *value);

/* The current token is the ".." behind the number `first`, whose token is `start`. */
int list_range(struct lexer *lexer, const struct token *start, const struct value *first, struct list_range *range);

/* Goes on to the value behind *value; false when that was the last. */
bool list_range_next(const struct list_range *range, int64_t *value);

struct value_set_item {
    bool one;
    struct value value;
    struct list_range range;
};

/* What stands in the braces of an `in`. An item is one value (`one` set), or a range without `times`. */
struct value_set {
    size_t count;
    const struct value_set_item *items;
};

/* Whether one of the items is equal to the value, as == sees it: 2 is equal to 2.0, a word to itself alone. */
bool value_set_has(const struct value_set *set, const struct value *value);

#endif
