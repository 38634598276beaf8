/* cutune's own small versions of the standard headers that NVRTC lacks. NVRTC takes them from memory and prefers
 * them to any file, so those that a file of the user's replaces must be hidden from it. */
#ifndef CUTUNE_COMPILE_HEADERS_H
#define CUTUNE_COMPILE_HEADERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum { HEADERS_MAX = 64 };

/* The bit of the header that an #include names; 0 for any other header. */
uint64_t headers_bit(const char *name);

/* Writes names and texts of all headers whose bit is not in `hidden`, and returns their number. */
size_t headers_offer(uint64_t hidden, const char *names[HEADERS_MAX], const char *texts[HEADERS_MAX]);

/* Appends names and hashes of the same headers. */
void headers_digest(uint64_t hidden, struct text *digest);

/* Appends a source that includes every header in quotes. */
void headers_source(struct text *source);

/* Appends the text of a header. */
void headers_append(const char *name, struct text *source);

#endif
