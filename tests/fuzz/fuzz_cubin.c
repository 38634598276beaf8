/* Reads any bytes as a cubin: an error with a message, or sensible numbers. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compile/cubin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_kernel(const char *cubin, size_t size, const char *name)
{
    struct kernel_resources resources;
    struct kernel_parameters parameters;
    struct error error = {0};
    int code = cubin_resources(cubin, size, name, &resources, &error);
    if (code ? code != ERROR_DATA || !*error.message
             : resources.registers <= 0 || resources.shared_bytes < 0 || resources.local_bytes < 0 ||
                   resources.constant_bytes < 0 || resources.max_threads < 0)
        __builtin_trap();
    error_clear(&error);
    code = cubin_parameters(cubin, size, name, &parameters, &error);
    if (code ? code != ERROR_DATA || !*error.message : parameters.known && !parameters.count)
        __builtin_trap();
    for (size_t i = 0; parameters.known && i < parameters.count; i++)
        if (parameters.bytes[i] == 0 || parameters.bytes[i] > UINT16_MAX)
            __builtin_trap();
    if (cubin_variable_bytes(cubin, size, name) < -1)
        __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + 1); /* misaligned, and reads beyond the end are detected */
    if (!copy)
        return 0;
    memcpy(copy + 1, data, size);
    check_kernel(copy + 1, size, "k");
    check_kernel(copy + 1, size, "plain");
    free(copy);
    return 0;
}
