/* Any bytes as a T1 description: an error or a space that the language reads, never a crash or a hang. */
#include <stdint.h>

#include "exchange/t1.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text text = {0}, space = {0}, notes = {0};
    struct error error = {0};
    char message[4096];
    text_append(&text, data, size);
    if (!text.failed && t1_import("fuzz.json", text_string(&text), text.length, &space, &notes, &error))
        error_format(&error, message, sizeof message);
    text_free(&text);
    text_free(&space);
    text_free(&notes);
    return 0;
}
