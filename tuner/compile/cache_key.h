/* Within a compiler process: decides which questions are the same, and keeps their answers in the cache. */
#ifndef CUTUNE_COMPILE_CACHE_KEY_H
#define CUTUNE_COMPILE_CACHE_KEY_H

#include <stdbool.h>

#include "compile/answer.h"
#include "compile/cache.h"
#include "compile/taken.h"

/* The key of a question covers all that its answer depends on: the source and the contents of all files that it may
 * include, the kernels in their order, the options, `compiler` (the NVRTC in use) and cutune's version. `taken`
 * remembers the files; `anew` reads them again. False if the files cannot be determined: such a question is neither
 * looked up nor cached. */
bool cache_key_of(const struct request *request, const char *compiler, struct taken *taken, bool anew,
                  char key[HASH_HEX_BYTES]);

/* Loads the answer from the cache. False, with a zeroed answer, if there is none or it is invalid. */
bool cache_key_load(const struct compile_cache *cache, const char *key, struct answer *answer);

/* Stores a lasting answer. Returns its size in the cache in bytes; 0 if it was not stored. */
size_t cache_key_store(const struct compile_cache *cache, const char *key, const struct answer *answer);

#endif
