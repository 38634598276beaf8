#include "base/hash_table.h"

#include <stdlib.h>

#include "base/error.h"

/* Compares hashes before the caller's items are touched; the table can grow without asking for the keys again. */
struct hash_slot {
    uint32_t hash, number; /* item + 1; 0: free */
};

enum { SIZE_FIRST = 64 };

/* The slot of the key, or the free one where it belongs. */
static struct hash_slot *find_slot(const struct hash_table *table, const struct hash_key *key)
{
    size_t mask = table->size - 1, at = (uint32_t)key->hash & mask;
    for (;; at = (at + 1) & mask) {
        struct hash_slot *slot = &table->slots[at];
        if (!slot->number || (slot->hash == (uint32_t)key->hash && key->same(key->owner, slot->number - 1, key->key)))
            return slot;
    }
}

static int grow(struct hash_table *table)
{
    size_t size = table->size ? 2 * table->size : SIZE_FIRST;
    struct hash_slot *slots = size - 1 <= UINT32_MAX ? calloc(size, sizeof *slots) : NULL;
    if (!slots)
        return ERROR_MEMORY;
    for (size_t i = 0; i < table->size; i++) {
        size_t at = table->slots[i].hash & (size - 1);
        if (!table->slots[i].number)
            continue;
        while (slots[at].number)
            at = (at + 1) & (size - 1);
        slots[at] = table->slots[i];
    }
    free(table->slots);
    table->slots = slots;
    table->size = size;
    return 0;
}

uint32_t hash_table_find(const struct hash_table *table, const struct hash_key *key)
{
    return table->size ? find_slot(table, key)->number - 1 : HASH_TABLE_NONE;
}

int hash_table_put(struct hash_table *table, const struct hash_key *key, uint32_t *item)
{
    if (3 * (table->count + 1) > 2 * table->size && grow(table))
        return ERROR_MEMORY;
    struct hash_slot *slot = find_slot(table, key);
    if (!slot->number) {
        if (*item == HASH_TABLE_NONE)
            return ERROR_MEMORY;
        *slot = (struct hash_slot){(uint32_t)key->hash, *item + 1};
        table->count++;
    }
    *item = slot->number - 1;
    return 0;
}

size_t hash_table_bytes(const struct hash_table *table)
{
    return table->size * sizeof *table->slots;
}

void hash_table_free(struct hash_table *table)
{
    free(table->slots);
    *table = (struct hash_table){0};
}
