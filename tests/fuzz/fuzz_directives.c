/* Reads the includes of any bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/directives.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char *text = malloc(length ? length : 1); /* separate allocation, so that reads beyond the end are detected */
    struct directive found = {0};
    if (!text)
        return 0;
    memcpy(text, bytes, length);
    struct directives in = {text, text, text + length, true};
    for (const char *last = text; directives_next(&in, &found); last = in.at) {
        if (in.at <= last || in.at > in.end || found.at < text || found.at > in.end)
            __builtin_trap();
        if (found.form && (found.name.length == 0 || strlen(found.name.bytes) != found.name.length))
            __builtin_trap();
    }
    if (in.at != in.end)
        __builtin_trap();
    text_free(&found.name);
    free(text);
    return 0;
}
