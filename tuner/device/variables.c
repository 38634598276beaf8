#include "device/variables.h"

#include <stdlib.h>
#include <string.h>

#include "base/pack.h"
#include "base/symbol.h"
#include "device/gpu.h"

enum { VARIABLE_BYTES_MAX = 1 << 20 }; /* of a variable; the rest of a larger one is not read */

/* cutune sets it before each launch. */
static bool is_set(const struct launch *launch, const char *name)
{
    bool set = false;
    for (size_t i = 0; i < launch->variable_count; i++)
        set |= strcmp(launch->variables[i].name, name) == 0;
    return set;
}

/* Appends the variable as the library has it, with its length; one that it lacks has the length 0. */
static cudaError_t read_one(struct gpu *gpu, const struct gpu_kernel *kernel, cudaLibrary_t library, const char *name,
                            struct text *contents)
{
    const char *symbol = symbol_find(kernel->cubin, kernel->cubin_bytes, name, NULL);
    void *address = NULL;
    size_t length = 0;
    cudaError_t result = cudaLibraryGetGlobal(&address, &length, library, symbol ? symbol : name);
    if (result) {
        cudaGetLastError();
        pack_bytes(contents, "", 0);
        return cudaSuccess;
    }
    length = length < VARIABLE_BYTES_MAX ? length : VARIABLE_BYTES_MAX;
    void *bytes = malloc(length + 1);
    if (!bytes)
        return cudaErrorMemoryAllocation;
    result = cudaMemcpyAsync(bytes, address, length, cudaMemcpyDefault, gpu->stream);
    if (!result)
        result = cudaStreamSynchronize(gpu->stream);
    if (!result)
        pack_bytes(contents, bytes, length);
    free(bytes);
    return result ? result : contents->failed ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaError_t gpu_read_variables(struct gpu *gpu, const struct gpu_kernel *kernel, struct text *contents)
{
    const char *name = kernel->variables;
    cudaError_t result = cudaSuccess;
    text_clear(contents);
    for (size_t i = 0; i < kernel->variable_count && !result; i++, name += strlen(name) + 1)
        for (size_t p = 0; p < BUNDLE_PARTS_MAX && kernel->libraries[p] && !result; p++)
            if (!is_set(&kernel->launch, name))
                result = read_one(gpu, kernel, kernel->libraries[p], name, contents);
    return result;
}

const char *gpu_changed_variable(const struct gpu_kernel *kernel, const struct text *before, const struct text *after)
{
    struct unpack first = unpack_start(before->bytes, before->length), then = unpack_start(after->bytes, after->length);
    const char *name = kernel->variables;
    for (size_t i = 0; i < kernel->variable_count; i++, name += strlen(name) + 1)
        for (size_t p = 0; p < BUNDLE_PARTS_MAX && kernel->libraries[p] && !is_set(&kernel->launch, name); p++) {
            size_t lengths[2];
            const void *a = unpack_bytes(&first, &lengths[0]), *b = unpack_bytes(&then, &lengths[1]);
            if (lengths[0] != lengths[1] || memcmp(a, b, lengths[0]) != 0)
                return name;
        }
    return NULL;
}
