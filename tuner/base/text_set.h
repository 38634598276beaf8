/* A set of borrowed texts that counts the distinct ones. A zeroed struct is the empty set. */
#ifndef CUTUNE_BASE_TEXT_SET_H
#define CUTUNE_BASE_TEXT_SET_H

#include <stddef.h>

#include "base/hash_table.h"

struct text_set {
    const char **texts; /* in the order in which they were added */
    size_t count, room;
    struct hash_table table;
};

/* Returns the place of the text that equals `text`. A new place holds NULL: the caller must fill it with a copy or
 * `text` itself before the next call. NULL when out of memory. */
const char **text_set_place(struct text_set *set, const char *text);
void text_set_free(struct text_set *set);

#endif
