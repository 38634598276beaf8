/* Reads any text as a fit over sizes: an error, a fit of an earlier program, which chooses nothing, or a fit that
 * answers and prints as text of the same meaning. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sizes/size_fit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct size_fit fit, again;
    static const int64_t values[] = {0, 1, -1, 7, 4096, INT64_MAX, INT64_MIN};
    struct arena arena = {0};
    struct error error = {0};
    struct text text = {0};
    char *copy = arena_copy(&arena, (const char *)data, size);
    int code = copy ? size_fit_parse(&arena, copy, &fit, &error) : 0;
    if (code && (error.code == ERROR_NONE || !*error.message))
        __builtin_trap();
    if (copy && !code) {
        size_fit_print(&fit, &text);
        if (fit.earlier)
            again = fit;
        else if (size_fit_parse(&arena, text_string(&text), &again, &error))
            __builtin_trap();
        for (size_t i = 0; i < 49; i++) {
            int64_t sizes[SIZE_FIT_SIZES_MAX];
            for (size_t s = 0; s < fit.size_count; s++)
                sizes[s] = values[s % 2 ? i / 7 : i % 7];
            if (fit.earlier && size_fit_choose(&fit, sizes, 132, 1 << 20, UINT32_MAX) != SIZE_MAX)
                __builtin_trap();
            if (size_fit_choose(&fit, sizes, 132, 1 << 20, UINT32_MAX) !=
                size_fit_choose(&again, sizes, 132, 1 << 20, UINT32_MAX))
                __builtin_trap();
        }
    }
    text_free(&text);
    arena_free(&arena);
    return 0;
}
