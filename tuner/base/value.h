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
    VALUE_SET,  /* the braces of an `in`: a constant operand, never the value of an expression */
    VALUE_FAULT /* no value, after a division by zero or an overflow */
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

/* Value of a number as a float, and its truth. */
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

/* Formats the value as in .space files, journals and -D options. A float has a point or an exponent and enough digits
 * to read back as the same float. Returns `buffer` (VALUE_TEXT_BYTES suffice). */
const char *value_text(const struct value *value, char *buffer, size_t room);

/* Parses the output of value_text. A word is `text` itself, not interned. False if `text` is not a value. */
bool value_read(const char *text, struct value *value);

/* Orders two numbers of any kind by their exact values: -1, 0 or 1. */
int value_compare_numbers(const struct value *a, const struct value *b);

/* Finds the equal number of the other kind, such as 1.0 for 1; false: no such number. */
bool value_duplicate(const struct value *value, struct value *duplicate);

/* Orders all values: numbers, an integer before the float that equals it, then words in alphabetical order. */
int value_order(const struct value *a, const struct value *b);

/* Equality as in == and in lists: 1 equals 1.0, a word equals only itself. Both words must be interned. */
bool value_equal(const struct value *a, const struct value *b);

/* A range from `first` to at most `last`, which adds `step` each time, or multiplies by it (`times`). Never empty. */
struct value_range {
    int64_t first, last, step;
    bool times;
};

struct value_set_item {
    bool one;
    struct value value;
    struct value_range range;
};

/* Each item is a value (`one` is set) or a range without `times`. */
struct value_set {
    size_t count;
    const struct value_set_item *items;
};

/* True if an item equals the value in the sense of ==: 2 equals 2.0; a word equals only itself. */
bool value_set_has(const struct value_set *set, const struct value *value);

#endif
