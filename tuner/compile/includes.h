/* The files that a source text takes in: what a key of the cubin cache must cover beside the text itself. */
#ifndef CUTUNE_COMPILE_INCLUDES_H
#define CUTUNE_COMPILE_INCLUDES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum { INCLUDES_MAX = 4096, INCLUDES_BYTES_MAX = 64 << 20 };

/* Appends to `digest` the name and text of every file that `source`, the text of `path`, may include, and of those that
 * these include: every name in quotes or angle brackets is looked for in the folder of the file that has it, in the
 * working folder, and in `folders` (NUL-terminated names, one after the other); each file that is there counts, whether
 * or not the compiler would take another. A name that is in none of them is the toolkit's, or missing.
 *
 * False when it cannot tell what is included: an #include of a macro, a word cut by a backslash at the end of its line,
 * something that is no regular file, more than INCLUDES_MAX files or INCLUDES_BYTES_MAX bytes, no memory. */
bool includes_gather(const char *path, const char *source, const char *folders, size_t folder_count,
                     struct text *digest);

#endif
