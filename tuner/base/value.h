/* A value of an expression: a 64-bit integer, a float, or a word. */
#ifndef CUTUNE_BASE_VALUE_H
#define CUTUNE_BASE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_kind {
    VALUE_INT,
    VALUE_FLOAT,
    VALUE_WORD,
    VALUE_SET,  /* the braces of an `in`: a constant of expressions, never the value of one */
    VALUE_FAULT /* does not exist: division by zero, overflow */
};

struct value_set;

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
static inline struct value value_fault(void)
{
    return (struct value){.kind = VALUE_FAULT};
}

/* Of a number: as a float, and its truth. */
static inline double value_real(const struct value *value)
{
    return value->kind == VALUE_INT ? (double)value->integer : value->real;
}
static inline bool value_truth(const struct value *value)
{
    return value->kind == VALUE_INT ? value->integer != 0 : value->real != 0;
}
static inline bool value_is_number(const struct value *value)
{
    return value->kind == VALUE_INT || value->kind == VALUE_FLOAT;
}

enum { VALUE_TEXT_BYTES = 128 };

/* Formats the value as in .space files, journals and -D options. A float has all its digits and a point or an exponent,
 * so that it reads back as the same float. Returns `buffer` (VALUE_TEXT_BYTES suffice; words are shorter). */
const char *value_text(const struct value *value, char *buffer, size_t room);

/* Parses what value_text writes; a word is `text` itself, not interned. False if it is not a value. */
bool value_read(const char *text, struct value *value);

/* Orders two numbers of any kind by their exact values: -1, 0 or 1. */
int value_compare_numbers(const struct value *a, const struct value *b);

/* The number of the other kind that equals it, if there is one: 1.0 for 1. */
bool value_duplicate(const struct value *value, struct value *duplicate);

/* Orders all values: numbers, an integer before the float that equals it, then words in alphabetical order. */
int value_order(const struct value *a, const struct value *b);

/* Equality as in == and in lists: 1 equals 1.0, a word equals only itself. Both words must be interned. */
bool value_equal(const struct value *a, const struct value *b);

/* A range: `first`, then + step each or, with `times`, * step, up to `last`; at least one value. */
struct value_range {
    int64_t first, last, step;
    bool times;
};

struct value_set_item {
    bool one;
    struct value value;
    struct value_range range;
};

/* An item is one value (`one` is set) or a range without `times`. */
struct value_set {
    size_t count;
    const struct value_set_item *items;
};

/* Does an item equal the value in the sense of ==? 2 equals 2.0; a word equals only itself. */
bool value_set_has(const struct value_set *set, const struct value *value);

#endif
