/* A value of the space language: an integer of 64 bits, a float, or a word. */
#ifndef CUTUNE_SPACE_VALUE_H
#define CUTUNE_SPACE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_kind { VALUE_INT, VALUE_FLOAT, VALUE_WORD };

/* The kind of what stands in the braces of an `in`: a constant of expressions, never the value of one. */
enum { VALUE_SET = 4 };

struct value_set; /* space/list.h */

struct value {
    enum value_kind kind;
    union {
        int64_t integer;
        double real;
        const char *word; /* interned by its space: equal words are the same pointer */
        const struct value_set *set;
    };
};

enum { VALUE_TEXT_BYTES = 128 };

/* The value as it is written in a .space, in journals and in -D options. A float keeps all its digits and a point or an
 * exponent, so that it reads back as the same float. Returns `buffer` (VALUE_TEXT_BYTES suffice; words are shorter). */
const char *value_text(const struct value *value, char *buffer, size_t room);

/* Reads what value_text writes; a word is `text` itself, not interned. False when it is no value. */
bool value_read(const char *text, struct value *value);

/* Orders two numbers by their exact values, whatever their kinds: -1, 0 or 1. */
int value_compare_numbers(const struct value *a, const struct value *b);

/* The number of the other kind that equals it, if there is one: 1.0 of 1. */
bool value_duplicate(const struct value *value, struct value *duplicate);

/* Orders all values: numbers, an integer before the float that equals it, then words by their letters. */
int value_order(const struct value *a, const struct value *b);

/* What == says, and "is in the list" with it: 1 is equal to 1.0, a word to itself alone. Both words are interned. */
bool value_equal(const struct value *a, const struct value *b);

#endif
