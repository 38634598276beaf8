#include "set/memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"

struct wanted {
    const unsigned char *bytes;
    size_t length;
};

static bool same(const void *owner, uint32_t item, const void *key)
{
    const struct memo *memo = owner;
    const struct memo_entry *entry = &memo->entries[item];
    const struct wanted *wanted = key;
    return entry->length == wanted->length && memcmp(memo->keys + entry->key, wanted->bytes, wanted->length) == 0;
}

/* Makes room for another entry with a key of that length. */
static bool reserve(struct memo *memo, size_t length)
{
    struct memo_entry *entries = array_grow(memo->entries, &memo->room, memo->used + 1, sizeof *entries);
    if (!entries)
        return false;
    memo->entries = entries;
    unsigned char *keys = array_grow(memo->keys, &memo->keys_room, memo->keys_used + length, 1);
    if (!keys)
        return false;
    memo->keys = keys;
    return true;
}

struct memo_entry *memo_find(struct memo *memo, const unsigned char *key, size_t length, bool *is_new)
{
    const struct wanted wanted = {key, length};
    const struct hash_key wanted_key = {hash_u64(key, length, 0), same, memo, &wanted};
    uint32_t item = (uint32_t)memo->used;
    *is_new = false;
    if (!reserve(memo, length) || hash_table_put(&memo->table, &wanted_key, &item))
        return NULL;
    *is_new = item == memo->used;
    if (*is_new) {
        memo->entries[memo->used++] = (struct memo_entry){.key = memo->keys_used, .length = (uint32_t)length};
        memcpy(memo->keys + memo->keys_used, key, length);
        memo->keys_used += length;
    }
    return &memo->entries[item];
}

size_t memo_bytes(const struct memo *memo)
{
    return memo->room * sizeof *memo->entries + hash_table_bytes(&memo->table) + memo->keys_room;
}

void memo_free(struct memo *memo)
{
    free(memo->entries);
    free(memo->keys);
    hash_table_free(&memo->table);
    memset(memo, 0, sizeof *memo);
}
