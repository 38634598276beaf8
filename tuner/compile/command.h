/* Compiler commands: programs of any language that make the machine code of kernels. A command runs as a worker, which
 * is asked over a socket by lines of JSON and lives on between requests. docs/compiler-command.md has the protocol. */
#ifndef CUTUNE_COMPILE_COMMAND_H
#define CUTUNE_COMPILE_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "compile/cache.h"
#include "compile/pool.h"

enum { COMMAND_SCHEMA = 1 };

/* Time for a hello: imports may read gigabytes from a disk that is shared. */
extern const int64_t compile_hello_timeout_ns;

/* Asks for the identity of a command: its hello, and the states of the files, packages and environment variables that
 * the hello names. `version->number` is "triton 3.6.0", and `version->build` begins with "command ". Uses the
 * stored hello if nothing that it names has changed. Otherwise, a separate process starts a worker and waits up to
 * `timeout_ns` for its hello. `cache` NULL: no cache. Appends the paths of the hello's `files` to `files`,
 * NUL-terminated, unless it is NULL. ERROR_COMPILE with the cause and the worker's last
 * line: the worker ends, hangs or says something else. */
int compile_command_version(const struct compile_command *command, const struct compile_cache *cache,
                            int64_t timeout_ns, struct nvrtc_version *version, struct text *files, struct error *error);

/* Finds the answer to a command's job that an earlier run has stored, whose hello, files and variables are unchanged.
 * Starts no process; the job's identity is not used. The result borrows from `payload`, an empty text. */
bool compile_command_recall(const struct compile_cache *cache, const struct compile_job *job, struct text *payload,
                            struct compile_result *result);

/* Begins the builds of commands, and tells whether a build is one. */
#define COMMAND_BUILD "command "
bool compile_command_is_build(const char *build);

#endif
