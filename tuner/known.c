#include "tuner/known.h"

#include <stdlib.h>

#include "base/random.h"

static struct known_entry *slot(struct known_entry *entries, size_t capacity, uint64_t index)
{
    size_t at = (size_t)random_mix(0, index) & (capacity - 1);
    while (entries[at].state != ENTRY_FREE && entries[at].index != index)
        at = (at + 1) & (capacity - 1);
    return &entries[at];
}

struct known_entry *known_find(struct known *known, uint64_t index)
{
    struct known_entry *found = known->capacity ? slot(known->entries, known->capacity, index) : NULL;
    if (found && found->state != ENTRY_FREE) /* there, also when there is no memory for more */
        return found;
    if (3 * (known->used + 1) > 2 * known->capacity) {
        size_t capacity = known->capacity ? known->capacity * 2 : 256;
        struct known_entry *entries = calloc(capacity, sizeof *entries);
        if (!entries)
            return NULL;
        for (size_t i = 0; i < known->capacity; i++)
            if (known->entries[i].state != ENTRY_FREE)
                *slot(entries, capacity, known->entries[i].index) = known->entries[i];
        free(known->entries);
        known->entries = entries;
        known->capacity = capacity;
    }
    return slot(known->entries, known->capacity, index);
}

void known_put(struct known *known, struct known_entry *entry, uint64_t index)
{
    known->used += entry->state == ENTRY_FREE;
    entry->index = index;
}

static struct known_final *find_final(const struct known *known, uint64_t index)
{
    for (size_t i = 0; i < known->final_count; i++)
        if (known->finals[i].index == index)
            return &known->finals[i];
    return NULL;
}

const struct measurement *known_find_final(const struct known *known, uint64_t index)
{
    const struct known_final *final = find_final(known, index);
    return final ? &final->measurement : NULL;
}

int known_put_final(struct known *known, uint64_t index, const struct measurement *measurement, struct error *error)
{
    struct known_final *final = find_final(known, index);
    if (!final && known->final_count == known->final_room) {
        size_t room = known->final_room ? 2 * known->final_room : 32;
        struct known_final *finals = realloc(known->finals, room * sizeof *finals);
        if (!finals)
            return error_memory(error);
        known->finals = finals;
        known->final_room = room;
    }
    if (!final)
        final = &known->finals[known->final_count++];
    *final = (struct known_final){index, *measurement};
    return 0;
}

void known_free(struct known *known)
{
    free(known->entries);
    free(known->finals);
}
