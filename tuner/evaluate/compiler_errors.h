/* Reads the errors in a compiler's log. */
#ifndef CUTUNE_EVALUATE_COMPILER_ERRORS_H
#define CUTUNE_EVALUATE_COMPILER_ERRORS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "space/space.h"

struct compiler_error {
    char path[512]; /* path for opening the file, if it is a file */
    int line;
    char message[512];
    char excerpt[256]; /* the source line as quoted by the compiler; "": not quoted */
    int column;        /* in the excerpt, counted from 1; 0: unknown */
};

/* Finds the next error "FILE(LINE): error: MESSAGE", or "FILE:LINE:COLUMN: error: MESSAGE" of a host compiler, and
 * moves *log behind it; false: no more. `folder`: the space's, in which the compiler ran. */
bool compiler_errors_next(const char *folder, const char **log, struct compiler_error *found);

/* Explains in one sentence how the space causes the error, or which header the source lacks. False without an
 * explanation. */
bool compiler_errors_hint(const struct space *space, const struct compiler_error *found, char *hint, size_t room);

/* Explains the first error of a log that has an explanation. */
bool compiler_errors_hint_log(const struct space *space, const char *log, char *hint, size_t room);

#endif
