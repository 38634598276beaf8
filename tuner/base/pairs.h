/* Parses texts such as "TILE=64 BLOCK_ROWS=8": configurations and problems as written in the database. */
#ifndef CUTUNE_BASE_PAIRS_H
#define CUTUNE_BASE_PAIRS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

enum { PAIRS_MAX = 256 };

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

/* "TILE=64 BLOCK_ROWS=8" in memory of the arena; NULL when out of memory. */
const char *pairs_text(struct arena *arena, const struct pairs *pairs);

/* Is the text a C identifier? */
bool pairs_identifier(const char *text, size_t length);

#endif
