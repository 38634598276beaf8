/* Nodes of one level by state: maps keys to nodes. A zeroed struct is empty. */
#ifndef CUTUNE_SET_MEMO_H
#define CUTUNE_SET_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_table.h"

struct memo_entry {
    uint64_t key; /* offset in `keys` */
    uint32_t length, node;
};

struct memo {
    struct memo_entry *entries;
    size_t used, room;
    struct hash_table table;
    unsigned char *keys;
    size_t keys_used, keys_room;
};

/* Finds or adds the entry of a key of `length` bytes; *is_new: it was added, and the caller must set its node. Valid
 * until the next call with this memo. NULL when out of memory. */
struct memo_entry *memo_find(struct memo *memo, const unsigned char *key, size_t length, bool *is_new);
size_t memo_bytes(const struct memo *memo);
void memo_free(struct memo *memo);

#endif
