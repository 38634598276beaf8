#include "base/hash.h"

#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void hash_hex(const void *bytes, size_t length, char hex[HASH_HEX_BYTES])
{
    XXH128_hash_t hash = XXH3_128bits(bytes, length);
    snprintf(hex, HASH_HEX_BYTES, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

uint64_t hash_u64(const void *bytes, size_t length, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes, length, seed);
}
