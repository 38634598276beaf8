#include "space/memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static bool grow(struct memo *memo)
{
    size_t size = memo->size ? memo->size * 2 : 64;
    struct memo_entry *entries = calloc(size, sizeof *entries);
    if (!entries)
        return false;
    for (size_t i = 0; i < memo->size; i++) {
        size_t at = memo->entries[i].hash & (size - 1);
        while (memo->entries[i].length && entries[at].length)
            at = (at + 1) & (size - 1);
        if (memo->entries[i].length)
            entries[at] = memo->entries[i];
    }
    free(memo->entries);
    memo->entries = entries;
    memo->size = size;
    return true;
}

static bool store_key(struct memo *memo, const unsigned char *key, size_t length)
{
    if (memo->keys_used + length > memo->keys_room) {
        size_t need = memo->keys_used + length, room = memo->keys_room * 2 > need ? memo->keys_room * 2 : need + 1024;
        unsigned char *keys = realloc(memo->keys, room);
        if (!keys)
            return false;
        memo->keys = keys;
        memo->keys_room = room;
    }
    memcpy(memo->keys + memo->keys_used, key, length);
    memo->keys_used += length;
    return true;
}

struct memo_entry *memo_find(struct memo *memo, const unsigned char *key, size_t length, bool *is_new)
{
    uint64_t hash = hash_u64(key, length, 0);
    *is_new = false;
    if (2 * (memo->used + 1) > memo->size && !grow(memo))
        return NULL;
    size_t at = hash & (memo->size - 1);
    struct memo_entry *entry = &memo->entries[at];
    for (; entry->length; at = (at + 1) & (memo->size - 1), entry = &memo->entries[at])
        if (entry->hash == hash && entry->length == length && memcmp(memo->keys + entry->key, key, length) == 0)
            return entry;
    if (!store_key(memo, key, length))
        return NULL;
    *entry = (struct memo_entry){.hash = hash, .length = (uint32_t)length, .key = memo->keys_used - length};
    memo->used++;
    *is_new = true;
    return entry;
}

size_t memo_bytes(const struct memo *memo)
{
    return memo->size * sizeof *memo->entries + memo->keys_room;
}

void memo_free(struct memo *memo)
{
    free(memo->entries);
    free(memo->keys);
    memset(memo, 0, sizeof *memo);
}
