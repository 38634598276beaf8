/* A set of texts that belong to somebody else: which of many are different. A zeroed struct is the empty set. */
#ifndef CUTUNE_BASE_TEXT_SET_H
#define CUTUNE_BASE_TEXT_SET_H

#include <stddef.h>

struct text_set {
    const char **slots; /* open addressing, grown at one half; NULL is free */
    size_t count, capacity;
};

/* The place of the text that equals `text`; where there is none yet, a free place that the caller must fill with a copy
 * or `text` itself before the next call. NULL when memory is out. */
const char **text_set_place(struct text_set *set, const char *text);
void text_set_free(struct text_set *set);

#endif
