/* Reads regular files from untrusted places: never blocks on a pipe or device, never trusts a size. */
#ifndef CUTUNE_BASE_REGULAR_H
#define CUTUNE_BASE_REGULAR_H

#include <stdint.h>

#include "base/text.h"

enum regular { REGULAR_READ, REGULAR_ABSENT, REGULAR_UNFIT };

/* Appends the whole file to `text`. ABSENT: no such file, or it cannot be opened. UNFIT: not a regular file, larger
 * than `max_bytes`, or reading failed; `text` may hold a part of it. */
enum regular regular_read(const char *path, size_t max_bytes, struct text *text);

#endif
