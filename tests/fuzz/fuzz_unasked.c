/* Finds the kernels that nobody asks for in any text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compile/unasked.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const char head[] = "-D", middle[] = "(...)=cutune_unasked_";
    struct text options = {0};
    char *source = malloc(length + 1); /* separate allocation, so that reads beyond the end are detected */
    if (!source)
        return 0;
    memcpy(source, bytes, length);
    source[length] = '\0';
    const struct compile_job job = {.source = source,
                                    .name_expressions = "k\0n::asked<3>",
                                    .name_count = 2,
                                    .options = "-DTILE=3\0-Dmacro",
                                    .option_count = 2};
    size_t count = unasked_options(&job, &options);
    const char *at = options.bytes;
    for (size_t i = 0; i < count; i++, at += strlen(at) + 1) {
        size_t name = strcspn(at, "(") - strlen(head);
        if (strncmp(at, head, strlen(head)) != 0 || name == 0 ||
            strncmp(at + strlen(head) + name, middle, strlen(middle)) != 0)
            __builtin_trap();
    }
    if (count ? at != options.bytes + options.length : options.length)
        __builtin_trap();
    text_free(&options);
    free(source);
    return 0;
}
