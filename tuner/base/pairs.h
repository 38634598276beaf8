/* Texts such as "TILE=64 BLOCK_ROWS=8", taken apart: configurations and problems as the database has them. */
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

/* Into memory of the arena. ERROR_DATA for what is not NAME=VALUE, a name that comes twice, and too many. */
int pairs_read(struct arena *arena, const char *text, struct pairs *pairs, struct error *error);

/* The value of that name, or NULL. */
const char *pairs_find(const struct pairs *pairs, const char *name);

/* The same pairs in the order of `first`; *same is false, and `pairs` as it was, when they are not the same names. */
int pairs_order(struct arena *arena, const struct pairs *first, struct pairs *pairs, bool *same, struct error *error);

/* Orders two such texts; 0 when they have the same pairs, in whatever order: "N=1 M=2" and "M=2 N=1". */
int pairs_compare(const char *a, const char *b);

/* "TILE=64 BLOCK_ROWS=8" in memory of the arena; NULL when it is out. */
const char *pairs_text(struct arena *arena, const struct pairs *pairs);

/* A name that C takes: letters, digits and _, no digit first. */
bool pairs_identifier(const char *text, size_t length);

#endif
