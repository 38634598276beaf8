/* Within a compiler process: which questions are the same, and their answers in the cache. */
#ifndef CUTUNE_COMPILE_CACHE_KEY_H
#define CUTUNE_COMPILE_CACHE_KEY_H

#include <stdbool.h>

#include "compile/answer.h"
#include "compile/cache.h"
#include "compile/taken.h"

/* The key of a question covers all that its answer depends on: the source and the contents of all files that it may
 * include, the kernel, the options, `compiler` (which NVRTC this is) and cutune's version. `taken` remembers the files;
 * `anew` reads them again. False when the files cannot be determined: such a question is never looked up and its answer
 * not kept. */
bool cache_key_of(const struct request *request, const char *compiler, struct taken *taken, bool anew,
                  char key[HASH_HEX_BYTES]);

/* The answer from the cache. False, with a zeroed answer, when there is none that makes sense. */
bool cache_key_load(const struct compile_cache *cache, const char *key, struct answer *answer);

/* Keeps a lasting answer. Returns its bytes in the cache; 0: it is not kept. */
size_t cache_key_store(const struct compile_cache *cache, const char *key, const struct answer *answer);

#endif
