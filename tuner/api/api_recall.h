/* The kernels that cutune_kernel_open compiled, by their source and options, whichever compiler was in use. */
#ifndef CUTUNE_API_API_RECALL_H
#define CUTUNE_API_API_RECALL_H

#include <stdbool.h>

#include "base/text.h"
#include "compile/pool.h"
#include "space/space.h"

struct compile_cache;

/* Finds a kernel that api_remember stored. Starts no process and needs no compiler. The result borrows from `payload`,
 * an empty text of the caller's. False without a usable entry. */
bool api_recall(const struct compile_cache *cache, const struct space *space, const struct compile_job *job,
                struct text *payload, struct compile_result *result);

/* Stores a kernel that compiled. Without room it is compiled again. */
void api_remember(const struct compile_cache *cache, const struct space *space, const struct compile_job *job,
                  const struct compile_result *result);

#endif
