/* Commands for the shell, and the files that their words name: `gen.py` in `python3 gen.py`. */
#ifndef CUTUNE_BASE_GENERATOR_H
#define CUTUNE_BASE_GENERATOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* A command that prints the text of a source. */
struct generator {
    const char *command; /* for sh; NULL or "": no command */
    const char *folder;  /* its working folder */
    const char *values;  /* for its environment: NUL-terminated strings NAME=VALUE, one after the other */
    size_t value_count;
};

/* Begins the messages of commands that print no source, and of those that take too long. */
#define GENERATOR_SUBJECT "the source command "
bool generator_is_subject(const char *message);

/* Passes the path of each regular file that is a word of the command, relative to the folder, to `take`. Stops at a
 * non-zero result of `take` and returns it. */
typedef int generator_take_file(void *context, const char *path, struct error *error);
int generator_each_file(const char *command, const char *folder, generator_take_file *take, void *context,
                        struct error *error);

/* Appends a line with the hash of each of these files. ERROR_IO, ERROR_MEMORY. */
int generator_digest(const char *command, const char *folder, struct text *digest, struct error *error);

#endif
