#include "compile/headers.h"

#include <string.h>

#include "base/hash.h"

#include "header_arguments.inc"
#include "header_assert.inc"
#include "header_climits.inc"
#include "header_cuda.inc"
#include "header_float.inc"
#include "header_limits.inc"
#include "header_math.inc"
#include "header_stddef.inc"
#include "header_stdint.inc"
#include "header_stdio.inc"
#include "header_type_traits.inc"
#include "header_utility.inc"

static const struct header {
    const char *name, *text;
    size_t length;
} headers[] = {
#define HEADER(name, file) {name, header_##file, sizeof header_##file - 1},
#include "compile/headers.def"
#undef HEADER
};

enum { HEADER_COUNT = sizeof headers / sizeof *headers };

_Static_assert((int)HEADER_COUNT <= (int)HEADERS_MAX, "a bit for each header");

uint64_t headers_bit(const char *name)
{
    for (size_t i = 0; i < HEADER_COUNT; i++)
        if (strcmp(name, headers[i].name) == 0)
            return (uint64_t)1 << i;
    return 0;
}

size_t headers_offer(uint64_t hidden, const char *names[HEADERS_MAX], const char *texts[HEADERS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < HEADER_COUNT; i++) {
        if (hidden >> i & 1u)
            continue;
        names[count] = headers[i].name;
        texts[count++] = headers[i].text;
    }
    return count;
}

void headers_digest(uint64_t hidden, struct text *digest)
{
    for (size_t i = 0; i < HEADER_COUNT; i++) {
        char hash[HASH_HEX_BYTES];
        if (hidden >> i & 1u)
            continue;
        hash_hex(headers[i].text, headers[i].length, hash);
        text_printf(digest, "%s %s\n", headers[i].name, hash);
    }
}

void headers_source(struct text *source)
{
    for (size_t i = 0; i < HEADER_COUNT; i++)
        text_printf(source, "#include \"%s\"\n", headers[i].name);
}

void headers_append(const char *name, struct text *source)
{
    for (size_t i = 0; i < HEADER_COUNT; i++)
        if (strcmp(name, headers[i].name) == 0)
            text_append(source, headers[i].text, headers[i].length);
}
