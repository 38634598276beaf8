/* Finds items by key. The table holds item numbers (indices into the caller's array) and a part of each key's hash;
 * items and keys stay with the caller. Open addressing without removal. A zeroed struct is the empty table. */
#ifndef CUTUNE_BASE_HASH_TABLE_H
#define CUTUNE_BASE_HASH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash_table {
    struct hash_slot *slots;
    size_t count, size; /* number of items; number of slots, a power of two, at most two thirds of them used */
};

/* True if the item has the key. `owner` lets the function find an item by its number. */
typedef bool hash_same(const void *owner, uint32_t item, const void *key);

struct hash_key {
    uint64_t hash; /* equal keys have equal hashes; the lower 32 bits must be well mixed */
    hash_same *same;
    const void *owner, *key;
};

#define HASH_TABLE_NONE UINT32_MAX

/* The number of the item with the key, or HASH_TABLE_NONE. */
uint32_t hash_table_find(const struct hash_table *table, const struct hash_key *key);

/* Finds the item as hash_table_find does and sets *item to its number. If no item has the key, adds the key with the
 * number `*item`; the caller must store that item before the next call. Returns 0, or ERROR_MEMORY when out of
 * memory or numbers. */
int hash_table_put(struct hash_table *table, const struct hash_key *key, uint32_t *item);

/* The memory of the table in bytes. */
size_t hash_table_bytes(const struct hash_table *table);
void hash_table_free(struct hash_table *table);

#endif
