/* Finds the kernels in any text that the kernel filter leaves out. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compile/kernel_filter.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* The first NUL separates the source from an included file. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const char mark[] = "cutune_left_out_";
    struct text alone = {0};
    char *source = malloc(length + 2); /* separate allocation, so that reads beyond the end are detected */
    if (!source)
        return 0;
    memcpy(source, bytes, length);
    source[length] = source[length + 1] = '\0';
    const struct compile_job job = {.source = source,
                                    .name_expressions = "k\0n::asked<3>",
                                    .name_count = 2,
                                    .options = "-DTILE=3\0-Dmacro",
                                    .option_count = 2};
    size_t count = kernel_filter_source(&job, source + strlen(source) + (strlen(source) < length), 1, &alone);
    if (count ? !strstr(text_string(&alone), mark) || alone.length <= strlen(source) : alone.length)
        __builtin_trap();
    text_free(&alone);
    free(source);
    return 0;
}
