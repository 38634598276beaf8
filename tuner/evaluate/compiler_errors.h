/* The errors in a compiler's log, one after the other. */
#ifndef CUTUNE_EVALUATE_COMPILER_ERRORS_H
#define CUTUNE_EVALUATE_COMPILER_ERRORS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "space/space.h"

struct compiler_error {
    char path[512]; /* as this process opens it, if it is a file */
    int line;
    char message[512];
    char excerpt[256]; /* the line of the source, as far as the compiler quotes it; "": not quoted */
    int column;        /* in the excerpt, from 1; 0: unknown */
};

/* Finds the next error "FILE(LINE): error: MESSAGE" and advances *log behind it; false: no more. `folder`: that of the
 * space, in which the compiler ran. */
bool compiler_errors_next(const char *folder, const char **log, struct compiler_error *found);

/* Says how the error comes from the space, or which header the source lacks: one sentence. False if nothing is known.
 */
bool compiler_errors_hint(const struct space *space, const struct compiler_error *found, char *hint, size_t room);

/* Same for the first error of a log that has a hint. */
bool compiler_errors_hint_log(const struct space *space, const char *log, char *hint, size_t room);

#endif
