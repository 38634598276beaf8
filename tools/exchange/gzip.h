/* Files that gzip has compressed. */
#ifndef CUTUNE_EXCHANGE_GZIP_H
#define CUTUNE_EXCHANGE_GZIP_H

#include "base/error.h"
#include "base/text.h"

/* Replaces a text that gzip has compressed, in one part or in several, by its content, of at most `bytes_max` bytes.
 * Leaves any other text alone. ERROR_DATA for one that is damaged, cut off, or larger. `path` is for messages. */
int gzip_expand(const char *path, size_t bytes_max, struct text *text, struct error *error);

#endif
