/* Compilations that are kept on disk, so that nothing is compiled twice: one file per key, in a folder that any number
 * of processes of any number of runs share. Nothing in it is trusted: what is torn, damaged or somebody else's is as if
 * it were not there. An entry is written beside its place and renamed, so that it is there whole or not at all. */
#ifndef CUTUNE_COMPILE_CACHE_H
#define CUTUNE_COMPILE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"

enum {
    CACHE_FOLDER_BYTES = 3072,
    CACHE_BYTES_MAX = 512 << 20,       /* what all entries may take */
    CACHE_ENTRY_BYTES_MAX = 256 << 20, /* what is larger is not kept */
};

struct compile_cache {
    char folder[CACHE_FOLDER_BYTES];
    uint64_t max_bytes; /* entries are removed, the least recently used first, when there are more */
};

/* The user's cache: $CUTUNE_CACHE, else $XDG_CACHE_HOME/cutune, else $HOME/.cache/cutune, where a variable that is
 * empty, or one of the last two without a path from the root, counts as not set. Creates nothing. ERROR_NOT_FOUND when
 * none of them is set. */
int compile_cache_find(struct compile_cache *cache, struct error *error);

/* Creates the folder when it is missing. ERROR_IO when it cannot be written to: a run is as well without. */
int compile_cache_open(struct compile_cache *cache, struct error *error);

/* What was stored under the key, into `payload` (emptied first). False: nothing usable. A use is noted, at most once an
 * hour, in the time of the file's last change. */
bool compile_cache_load(const struct compile_cache *cache, const char key[HASH_HEX_BYTES], struct text *payload);

/* Keeps the payload under the key, in place of what is there. False when it could not. */
bool compile_cache_store(const struct compile_cache *cache, const char key[HASH_HEX_BYTES], const void *payload,
                         size_t bytes);

/* Whether the folder is worth a look after this entry was stored: by chance, so that all processes together look about
 * once per 256 entries, or per sixteenth of `max_bytes`. */
bool compile_cache_due(const struct compile_cache *cache, const char key[HASH_HEX_BYTES], size_t bytes);

struct cache_usage {
    uint64_t entries, bytes; /* that are there afterwards */
    uint64_t removed, removed_bytes;
};

/* Removes entries, the least recently used first, until they take no more than `max_bytes`: 0 removes all, UINT64_MAX
 * none. What a killed process left half written goes with them. Files that are not the cache's stay. Other processes
 * may use the cache at the same time. A folder that does not exist is an empty cache. ERROR_IO when the folder cannot
 * be read or an entry not removed; the others are. */
int compile_cache_trim(const struct compile_cache *cache, uint64_t max_bytes, struct cache_usage *usage,
                       struct error *error);

#endif
