/* Reads any bytes as a message of the kind in the first byte. Accepted messages pack to the same bytes again. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pack_tables.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_struct(const struct pack_table *table, const char *bytes, size_t length)
{
    struct text again = {0};
    void *to = malloc(table->bytes);
    if (to && unpack_whole(bytes, length, table, to)) {
        pack_struct(&again, table, to);
        if (!again.failed && (again.length != length || (length && memcmp(again.bytes, bytes, length) != 0)))
            __builtin_trap();
    }
    text_free(&again);
    free(to);
}

/* A job's kernels, one after the other. */
static void check_kernels(const char *bytes, size_t length)
{
    struct unpack unpack = unpack_start(bytes, length);
    struct text again = {0};
    struct device_kernel kernel;
    struct launch launch;
    for (const char *from = unpack.at; message_unpack_kernel(&unpack, &kernel, &launch); from = unpack.at) {
        text_clear(&again);
        message_pack_kernel(&again, &kernel);
        if (!again.failed && (again.length != (size_t)(unpack.at - from) || memcmp(again.bytes, from, again.length)))
            __builtin_trap();
    }
    text_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length == 0)
        return 0;
    char *copy = malloc(length); /* separate allocation, so that reads beyond the end are detected */
    if (!copy)
        return 0;
    const struct pack_table *table = pack_tables[bytes[0] % PACK_TABLES].table;
    memcpy(copy, bytes + 1, length - 1);
    if (table)
        check_struct(table, copy, length - 1);
    else
        check_kernels(copy, length - 1);
    free(copy);
    return 0;
}
