/* Within a compiler process: sources that a command prints. */
#ifndef CUTUNE_COMPILE_GENERATE_H
#define CUTUNE_COMPILE_GENERATE_H

#include "compile/cache.h"
#include "compile/compile_reply.h"

/* Completes the source of a request with a generator, in the job's folder: takes the text from the cache, or runs the
 * command and stores its output. Processes that share a cache run it once. False, with the reply set, if the command
 * fails or prints no text. Sets *untidy if the cache should be trimmed. */
bool generate_source(const struct compile_cache *cache, struct request *request, struct compile_reply *reply,
                     bool *untidy);

#endif
