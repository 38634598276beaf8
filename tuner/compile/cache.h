/* A disk cache of compilations: one file per key, in a folder that any number of processes and runs share. Nothing
 * in it is trusted: torn, damaged and foreign files count as missing. An entry is written to a temporary file and
 * renamed, so it is complete or absent. */
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
    CACHE_BYTES_MAX = 512 << 20,       /* limit for all entries together */
    CACHE_ENTRY_BYTES_MAX = 256 << 20, /* larger results are not cached */
};

struct compile_cache {
    char folder[CACHE_FOLDER_BYTES];
    uint64_t max_bytes; /* above this, the least recently used entries are removed */
};

/* Finds the user's cache: $CUTUNE_CACHE, else $XDG_CACHE_HOME/cutune, else $HOME/.cache/cutune. An empty variable
 * counts as unset; so do the last two without an absolute path. Creates nothing. ERROR_NOT_FOUND if none is set. */
int compile_cache_find(struct compile_cache *cache, struct error *error);

/* Creates the folder if missing. ERROR_IO if it is not writable; a run can continue without the cache. */
int compile_cache_open(struct compile_cache *cache, struct error *error);

/* Loads the payload stored under the key into `payload` (emptied first). False without a usable entry. Records the
 * use in the file's modification time, at most once an hour. */
bool compile_cache_load(const struct compile_cache *cache, const char key[HASH_HEX_BYTES], struct text *payload);

/* Stores the payload under the key, replacing an earlier one. False if that fails. */
bool compile_cache_store(const struct compile_cache *cache, const char key[HASH_HEX_BYTES], const void *payload,
                         size_t bytes);

/* True if the folder should be trimmed after storing this entry: by chance, about once per 256 entries, or per
 * sixteenth of `max_bytes`, over all processes. */
bool compile_cache_due(const struct compile_cache *cache, const char key[HASH_HEX_BYTES], size_t bytes);

/* Look-ups since the cache was made or cleared, by their success. */
struct cache_uses {
    uint64_t hits, misses;
};
#define CACHE_USES_NAME "uses" /* file in the folder */
/* Returns zeros if they are unknown. */
struct cache_uses compile_cache_uses(const struct compile_cache *cache);
/* Adds to them, in an open cache; has no effect while another process does. */
void compile_cache_count(const struct compile_cache *cache, const struct cache_uses *more);

struct cache_usage {
    uint64_t entries, bytes; /* remaining */
    uint64_t removed, removed_bytes;
};

/* Removes the least recently used entries until the rest takes at most `max_bytes`: 0 removes all, UINT64_MAX none.
 * Also removes half-written files of killed processes, and with 0 the counts of look-ups. Foreign files stay. Other
 * processes may use the cache at the same time. A missing folder is an empty cache. ERROR_IO if the folder cannot be
 * read, or an entry not removed; the others are removed all the same. */
int compile_cache_trim(const struct compile_cache *cache, uint64_t max_bytes, struct cache_usage *usage,
                       struct error *error);

#endif
