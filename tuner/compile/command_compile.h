/* Within a compiler process: compiles with a command, whose worker lives on between jobs. */
#ifndef CUTUNE_COMPILE_COMMAND_COMPILE_H
#define CUTUNE_COMPILE_COMMAND_COMPILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "compile/cache.h"
#include "compile/command_hello.h"
#include "compile/command_worker.h"
#include "compile/compile_reply.h"

/* The way to the pool for notices of a worker's start and hello: messages.h. */
struct command_notices {
    int socket;
    uint64_t id; /* of the job */
};

/* A zeroed struct has no worker. */
struct command_compiler {
    struct text line, folder; /* of the command whose worker and hello these are */
    struct command_worker worker;
    struct command_hello hello; /* `version` empty: unknown */
    uint64_t requests;
    struct command_notices notices;
};

/* Compiles the job of a command: takes the answer from the cache (NULL: none), or asks the worker, which is started
 * first if necessary. Returns true if the cache should be trimmed. */
bool command_compile_job(struct command_compiler *compiler, const struct compile_cache *cache,
                         const struct compile_job *job, struct compile_reply *reply);
void command_compiler_free(struct command_compiler *compiler);

#endif
