/* Finds items by key. The table holds numbers of items (their places in an array of the caller's) and a part of each
 * key's hash; items and keys stay with the caller. Open addressing; nothing is ever removed. A zeroed struct is the
 * empty table. */
#ifndef CUTUNE_BASE_HASH_TABLE_H
#define CUTUNE_BASE_HASH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash_table {
    struct hash_slot *slots;
    size_t count, size; /* items, and slots: a power of two, at most two thirds of them taken */
};

/* Whether the item has the key. `owner` is whatever finds an item by its number. */
typedef bool hash_same(const void *owner, uint32_t item, const void *key);

struct hash_key {
    uint64_t hash; /* equal keys have equal hashes; the lower 32 bits must be well mixed */
    hash_same *same;
    const void *owner, *key;
};

#define HASH_TABLE_NONE UINT32_MAX

/* The number of the item with the key, or HASH_TABLE_NONE. */
uint32_t hash_table_find(const struct hash_table *table, const struct hash_key *key);

/* The same; where no item has the key, the item `*item` gets it, and the caller must store that item before the next
 * call. The table then has one item more. Returns 0, or ERROR_MEMORY when memory or numbers are out. */
int hash_table_put(struct hash_table *table, const struct hash_key *key, uint32_t *item);

/* The memory that the table takes. */
size_t hash_table_bytes(const struct hash_table *table);
void hash_table_free(struct hash_table *table);

#endif
