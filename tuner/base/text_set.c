#include "base/text_set.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { CAPACITY_FIRST = 64 }; /* a power of two, as are all later capacities */

static const char **find(const struct text_set *set, const char *text)
{
    size_t at = (size_t)hash_u64(text, strlen(text), 0) & (set->capacity - 1);
    while (set->slots[at] && strcmp(set->slots[at], text) != 0)
        at = (at + 1) & (set->capacity - 1);
    return &set->slots[at];
}

static bool grow(struct text_set *set)
{
    struct text_set grown = {.count = set->count, .capacity = set->capacity ? set->capacity * 2 : CAPACITY_FIRST};
    grown.slots = calloc(grown.capacity, sizeof *grown.slots);
    if (!grown.slots)
        return false;
    for (size_t i = 0; i < set->capacity; i++)
        if (set->slots[i])
            *find(&grown, set->slots[i]) = set->slots[i];
    free(set->slots);
    *set = grown;
    return true;
}

const char **text_set_place(struct text_set *set, const char *text)
{
    if (2 * (set->count + 1) > set->capacity && !grow(set))
        return NULL;
    const char **place = find(set, text);
    set->count += *place == NULL;
    return place;
}

void text_set_free(struct text_set *set)
{
    free(set->slots);
    *set = (struct text_set){0};
}
