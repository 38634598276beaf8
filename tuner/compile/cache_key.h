/* Within a compiler process: decides which questions are the same, and caches their answers. */
#ifndef CUTUNE_COMPILE_CACHE_KEY_H
#define CUTUNE_COMPILE_CACHE_KEY_H

#include <stdbool.h>

#include "compile/cache.h"
#include "compile/compile_reply.h"
#include "compile/include_cache.h"

/* Computes the key of a question, which covers everything that its answer depends on: source, included files,
 * kernels in their order, options, `compiler` (the NVRTC in use) and cutune's version. The files are remembered in
 * `taken`; `anew` reads them again. False if the files cannot be determined: such a question is neither looked up
 * nor cached. */
bool cache_key_of(const struct request *request, const char *compiler, struct include_cache *include_cache, bool anew,
                  char key[HASH_HEX_BYTES]);

/* Loads the answer from the cache. False, with a zeroed answer, without a valid entry. */
bool cache_key_load(const struct compile_cache *cache, const char *key, struct compile_reply *reply);

/* Stores a lasting answer. Returns its size in the cache in bytes; 0 on failure. */
size_t cache_key_store(const struct compile_cache *cache, const char *key, const struct compile_reply *reply);

/* Likewise for answers that also depend on files which only the compiler knows: `files` are their NUL-terminated paths.
 * The cache keeps them under the key, and the answer under a key that covers their states. The store returns true if
 * the cache should be trimmed; it stores nothing if a file is not older than `started_s` (seconds since 1970), when the
 * compiler started. */
bool cache_key_load_with_files(const struct compile_cache *cache, const char *key, struct compile_reply *reply);
bool cache_key_store_with_files(const struct compile_cache *cache, const char *key, const struct text *files,
                                int64_t started_s, const struct compile_reply *reply);

#endif
