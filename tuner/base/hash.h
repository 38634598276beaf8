/* Fingerprints: XXH3, 128 bits, as 32 hexadecimal digits. Not cryptographic: they distinguish versions of a file. */
#ifndef CUTUNE_BASE_HASH_H
#define CUTUNE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { HASH_HEX_BYTES = 33 }; /* 32 digits and a NUL */

void hash_hex(const void *bytes, size_t length, char hex[HASH_HEX_BYTES]);
/* Hashes the first `length` bytes of a file, or all of a shorter one. */
int hash_file(const char *path, uint64_t length, char hex[HASH_HEX_BYTES], struct error *error);
uint64_t hash_u64(const void *bytes, size_t length, uint64_t seed);

#endif
