/* A set of borrowed texts, which tells how many of them differ. A zeroed struct is the empty set. */
#ifndef CUTUNE_BASE_TEXT_SET_H
#define CUTUNE_BASE_TEXT_SET_H

#include <stddef.h>

struct text_set {
    const char **slots; /* open addressing, at most half full; NULL: free slot */
    size_t count, capacity;
};

/* Returns the slot of a text equal to `text`, or a free slot, which the caller must fill with `text` or a copy before
 * the next call. NULL when out of memory. */
const char **text_set_place(struct text_set *set, const char *text);
void text_set_free(struct text_set *set);

#endif
