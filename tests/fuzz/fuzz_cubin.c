/* Reads any bytes as a cubin: an error with a message, or sensible numbers. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compile/cubin.h"
#include "compile/debug_info.h"

static void check_symbols(const char *cubin, size_t size, const char *next(const void *, size_t, size_t *))
{
    const char *name;
    for (size_t at = 0, before = 0; (name = next(cubin, size, &at)); before = at)
        if (at <= before || !*name || name < cubin || name + strlen(name) >= cubin + size)
            __builtin_trap();
}

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

static void check_members(const char *cubin, size_t size, bool variable)
{
    struct debug_member *members;
    size_t count =
        variable ? debug_variable(cubin, size, "plain", &members) : debug_parameter(cubin, size, "k", 0, &members);
    if (count > DEBUG_MEMBERS_MAX || (count && !members))
        __builtin_trap();
    for (size_t i = 0; i < count; i++)
        if (!members[i].bytes || strlen(members[i].name) >= DEBUG_NAME_BYTES ||
            strlen(members[i].type) >= DEBUG_NAME_BYTES)
            __builtin_trap();
    free(members);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + 1); /* misaligned, and reads beyond the end are detected */
    if (!copy)
        return 0;
    memcpy(copy + 1, data, size);
    check_kernel(copy + 1, size, "k");
    check_kernel(copy + 1, size, "plain");
    check_members(copy + 1, size, false);
    check_members(copy + 1, size, true);
    check_symbols(copy + 1, size, cubin_undefined);
    check_symbols(copy + 1, size, cubin_kernel);
    free(copy);
    return 0;
}
