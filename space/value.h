/* A value of the space language: a 64-bit integer, a float, or a word. */
#ifndef CUTUNE_SPACE_VALUE_H
#define CUTUNE_SPACE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_kind { VALUE_INT, VALUE_FLOAT, VALUE_WORD };

/* Kind of a set in the braces of an `in`: a constant of expressions, never the value of one. */
enum { VALUE_SET = 4 };

struct value_set; /* space/list.h */

struct value {
    enum value_kind kind;
    union {
        int64_t integer;
        double real;
        const char *word; /* interned by its space: equal words are equal pointers */
        const struct value_set *set;
    };
};

static inline struct value value_integer(int64_t integer)
{
    return (struct value){.kind = VALUE_INT, .integer = integer};
}

/* A number as a float, and its truth value. */
static inline double value_real(const struct value *value)
{
    return value->kind == VALUE_INT ? (double)value->integer : value->real;
}
static inline bool value_truth(const struct value *value)
{
    return value->kind == VALUE_INT ? value->integer != 0 : value->real != 0;
}

enum { VALUE_TEXT_BYTES = 128 };

/* Formats the value as in .space files, journals and -D options. A float has all its digits and a point or an exponent,
 * so that it reads back as the same float. Returns `buffer` (VALUE_TEXT_BYTES suffice; words are shorter). */
const char *value_text(const struct value *value, char *buffer, size_t room);

/* Parses a text of value_text; a word is `text` itself, not interned. False if it is not a value. */
bool value_read(const char *text, struct value *value);

/* Orders two numbers of any kind by their exact values: -1, 0 or 1. */
int value_compare_numbers(const struct value *a, const struct value *b);

/* Finds the equal number of the other kind, if any: 1.0 for 1. */
bool value_duplicate(const struct value *value, struct value *duplicate);

/* Orders all values: numbers, an integer before the float that equals it, then words in alphabetical order. */
int value_order(const struct value *a, const struct value *b);

/* Equality as in == and in lists: 1 equals 1.0, a word equals only itself. Both words must be interned. */
bool value_equal(const struct value *a, const struct value *b);

#endif
