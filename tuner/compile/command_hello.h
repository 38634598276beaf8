/* The first line of a worker, which says what its machine code depends on. */
#ifndef CUTUNE_COMPILE_COMMAND_HELLO_H
#define CUTUNE_COMPILE_COMMAND_HELLO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "compile/cache.h"
#include "compile/pool.h"

struct command_hello {
    struct text line;
    struct nvrtc_version version; /* `build` is the identity */
    struct text files;     /* paths of the files that the command's words and the hello name: NUL-terminated strings */
    struct text own_files; /* those of the member `files` alone */
    struct text packages;  /* a line with name and version for each */
    struct text variables; /* the names of environment variables, likewise */
    struct text params;    /* the parameters that the compiler uses, likewise */
    bool lists_params;     /* false: it uses all */
    struct text states;    /* of the files and variables when `version` was computed */
};

/* Reads a hello, and the files that it names. ERROR_DATA: not a hello; ERROR_IO: a file cannot be read. */
int command_hello_read(struct command_hello *hello, const struct compile_command *command, const struct text *line,
                       struct error *error);
void command_hello_free(struct command_hello *hello);

/* Reads the files again if they or the variables have changed: `version` is then another, if their contents differ. */
int command_hello_renew(struct command_hello *hello, const struct compile_command *command, struct error *error);

bool command_hello_uses(const struct command_hello *hello, const char *param);

/* Loads the hello of the command's last worker from the cache. False if it has none, or a file, package or variable
 * that it names has changed since. */
bool command_hello_recall(struct command_hello *hello, const struct compile_command *command,
                          const struct compile_cache *cache);
/* Stores it, unless a file is not older than the start of the worker, at `started_s` (seconds since 1970). */
void command_hello_keep(const struct command_hello *hello, const struct compile_command *command,
                        const struct compile_cache *cache, int64_t started_s);

/* Appends the path of a file that the command names, relative to its folder or absolute, with its NUL. */
void command_path(const struct compile_command *command, const char *path, struct text *to);

#endif
