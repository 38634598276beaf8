/* Within a compiler process: which questions are the same, and their answers in the cache. */
#ifndef CUTUNE_COMPILE_RECALL_H
#define CUTUNE_COMPILE_RECALL_H

#include <stdbool.h>

#include "compile/answer.h"
#include "compile/cache.h"

/* The key of a question covers all that its answer depends on: the source and the files that it may include (of the
 * toolkit's only the folders and their version), the kernel, the options, `compiler` (which NVRTC this is) and cutune's
 * version. False when that cannot be told: such a question is never looked up and its answer not kept. */
bool recall_key(const struct request *request, const char *compiler, char key[HASH_HEX_BYTES]);

/* The answer from the cache. False, with a zeroed answer, when there is none that makes sense. */
bool recall_answer(const struct compile_cache *cache, const char *key, struct answer *answer);

/* Keeps a lasting answer. Returns its bytes in the cache; 0: it is not kept. */
size_t recall_keep(const struct compile_cache *cache, const char *key, const struct answer *answer);

#endif
