/* The files that nvcc reports to have read (-MD), including system headers, which includes.h does not find. They are
 * known only after a compilation: the cache keeps them, and stores the answer under a key that covers their states. */
#ifndef CUTUNE_COMPILE_DEPENDENCIES_H
#define CUTUNE_COMPILE_DEPENDENCIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/text.h"

/* Appends the paths of a rule for make, "TARGET : PATH PATH", as NUL-terminated strings, without those in `folder`.
 * False if it is not such a rule. */
bool dependencies_read(const char *rule, const char *folder, struct text *paths);

/* Appends a text that changes whenever the file changes or is created. */
void dependencies_state(struct text *states, const char *path);

/* Computes the key that covers `key` and the states of all files. False when out of memory, or if a file is not
 * older than `before_s` (seconds since 1970): it may have changed since it was read. */
bool dependencies_key(const char *key, const struct text *paths, int64_t before_s, char own_key[HASH_HEX_BYTES]);

#endif
