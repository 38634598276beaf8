/* Reading regular files that anybody may have put there: never waits for a pipe or a device, never trusts a size. */
#ifndef CUTUNE_BASE_REGULAR_H
#define CUTUNE_BASE_REGULAR_H

#include <stdint.h>

#include "base/text.h"

enum regular { REGULAR_READ, REGULAR_ABSENT, REGULAR_UNFIT };

/* Appends the whole file to `text`. ABSENT: there is none that can be opened. UNFIT: it is a folder, a pipe or the
 * like, larger than `max_bytes`, or reading or memory failed; `text` may have a part of it. */
enum regular regular_read(const char *path, size_t max_bytes, struct text *text);

#endif
