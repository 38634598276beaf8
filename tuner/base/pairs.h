/* Parses NAME=VALUE text: configurations and problems in the database, "TILE=64 BLOCK_ROWS=8", and single pairs from
 * the command line. No other file splits such text. */
#ifndef CUTUNE_BASE_PAIRS_H
#define CUTUNE_BASE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

enum { PAIRS_MAX = 256 };

/* One NAME=VALUE in place. Name and value may be empty. */
struct pair_parts {
    const char *name, *value;
    size_t name_length, value_length;
};

/* Splits `length` bytes at the first '='. False without a '='. */
bool pairs_split(const char *text, size_t length, struct pair_parts *parts);

/* Splits a word whose name is a C identifier. ERROR_DATA for any other word. */
int pairs_part(const char *word, size_t length, struct pair_parts *parts, struct error *error);

/* Returns the first word at or behind `at` and its length; spaces separate words. NULL at the end. */
const char *pairs_word(const char *at, size_t *length);

/* Returns the value of the first NAME=VALUE word with that name, in place, and its length. NULL for an unknown name. */
const char *pairs_value(const char *text, const char *name, size_t *length);

struct pair {
    const char *name, *value;
};

struct pairs {
    size_t count;
    struct pair *items;
};

/* Parses into memory of the arena. ERROR_DATA for a word without NAME=VALUE, a repeated name, and too many pairs. */
int pairs_read(struct arena *arena, const char *text, struct pairs *pairs, struct error *error);

/* The value of a name, or NULL. */
const char *pairs_find(const struct pairs *pairs, const char *name);

/* Puts the pairs into the order of `first`. Sets *same to false and leaves `pairs` unchanged if the names differ. */
int pairs_order(struct arena *arena, const struct pairs *first, struct pairs *pairs, bool *same, struct error *error);

/* Orders two such texts. Returns 0 for the same pairs in any order: "N=1 M=2" and "M=2 N=1". */
int pairs_compare(const char *a, const char *b);

/* Orders two values: numbers by size, before words. "1" and "1.0" are the same. */
int pairs_compare_values(const char *a, const char *b);
/* Reads a value that is a finite number; false if it is a word. */
bool pairs_number(const char *value, double *number);

/* "TILE=64 BLOCK_ROWS=8" in memory of the arena; NULL when out of memory. */
const char *pairs_text(struct arena *arena, const struct pairs *pairs);

/* True if the text is a C identifier. */
bool pairs_identifier(const char *text, size_t length);

#endif
