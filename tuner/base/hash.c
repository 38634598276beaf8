#include "base/hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/file.h"

enum { CHUNK_BYTES = 1 << 18 };

static void print_hash(XXH128_hash_t hash, char hex[HASH_HEX_BYTES])
{
    snprintf(hex, HASH_HEX_BYTES, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

void hash_hex(const void *bytes, size_t length, char hex[HASH_HEX_BYTES])
{
    print_hash(XXH3_128bits(bytes, length), hex);
}

int hash_file(const char *path, uint64_t length, char hex[HASH_HEX_BYTES], struct error *error)
{
    XXH3_state_t state;
    int code = file_check_regular(path, error);
    FILE *file = code ? NULL : fopen(path, "rbe");
    if (code)
        return code;
    if (!file)
        return error_errno(error, errno == ENOENT ? ERROR_NOT_FOUND : ERROR_IO, "cannot open %s", path);
    char *chunk = malloc(CHUNK_BYTES);
    if (!chunk)
        code = error_memory(error);
    XXH3_128bits_reset(&state);
    while (!code && length) {
        size_t got = fread(chunk, 1, length < CHUNK_BYTES ? (size_t)length : CHUNK_BYTES, file);
        XXH3_128bits_update(&state, chunk, got);
        length -= got;
        if (!got)
            break;
    }
    if (!code && ferror(file))
        code = error_errno(error, ERROR_IO, "cannot read %s", path);
    print_hash(XXH3_128bits_digest(&state), hex);
    free(chunk);
    fclose(file);
    return code;
}

uint64_t hash_u64(const void *bytes, size_t length, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes, length, seed);
}
