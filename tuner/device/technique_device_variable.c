/* device_variable and constant: sets variables of the loaded kernels to values or to the contents of buffers. Those
 * that a kernel may change are set again before each run, by copies on the device, which wait for nothing. If launches
 * have macros of their own, each part of the machine code has its own variables, which get the same values. */
#include <stdlib.h>
#include <string.h>

#include "base/symbol.h"
#include "device/check.h"
#include "device/gpu.h"
#include "device/launch.h"
#include "device/techniques.h"

enum { VALUE_ALIGNMENT = 16 };

static bool used(const struct launch *launch)
{
    return launch->variable_count > 0;
}

static const struct launch_argument *argument_of(const struct gpu_kernel *kernel, size_t number)
{
    return &kernel->launch.arguments[kernel->launch.variables[number].argument];
}

/* Bytes of the variable's place in the memory with all values. */
static size_t room_of(const struct gpu_kernel *kernel, size_t number)
{
    size_t bytes = kernel->launch.variables[number].contents ? 0 : space_argument_bytes(argument_of(kernel, number));
    return (bytes + VALUE_ALIGNMENT - 1) / VALUE_ALIGNMENT * VALUE_ALIGNMENT;
}

/* Queues the copy of the value at an offset, or of the initial contents of a buffer, to the variable of a part. */
static cudaError_t set(const struct gpu *gpu, const struct gpu_kernel *kernel, size_t number, size_t part, size_t at)
{
    const struct launch_variable *variable = &kernel->launch.variables[number];
    const struct launch_argument *argument = argument_of(kernel, number);
    const struct gpu_buffer *buffer = variable->contents ? &gpu->buffers[argument->buffer] : NULL;
    void *symbol = kernel->symbols[number][part];
    if (!symbol)
        return cudaSuccess;
    if (!buffer)
        return cudaMemcpyAsync(symbol, kernel->values + at, space_argument_bytes(argument), cudaMemcpyDefault,
                               gpu->stream);
    const void *from = buffer->role == BUFFER_INOUT ? buffer->initial : buffer->data;
    return from ? cudaMemcpyAsync(symbol, from, buffer->bytes, cudaMemcpyDefault, gpu->stream)
                : cudaMemsetAsync(symbol, 0, buffer->bytes, gpu->stream);
}

static cudaError_t restore(struct gpu *gpu, struct gpu_kernel *kernel, bool checked)
{
    (void)checked;
    size_t at = 0;
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < kernel->launch.variable_count && !result; i++) {
        for (size_t p = 0; p < BUNDLE_PARTS_MAX && kernel->launch.variables[i].restored && !result; p++)
            result = set(gpu, kernel, i, p, at);
        at += room_of(kernel, i);
    }
    return result;
}

static cudaError_t find_symbol(cudaLibrary_t library, const char *symbol, void **address, size_t *bytes)
{
    cudaError_t result = cudaLibraryGetManaged(address, bytes, library, symbol);
    if (result != cudaErrorSymbolNotFound)
        return result;
    cudaGetLastError();
    return cudaLibraryGetGlobal(address, bytes, library, symbol);
}

/* Finds the variable by its usual symbol, or by one that the code has. A missing one is not an error: the preprocessor
 * removed it from this variant, or no code uses it. */
static cudaError_t find(struct gpu_kernel *kernel, size_t number, size_t part, size_t *bytes)
{
    const char *name = kernel->launch.variables[number].name, *found = NULL;
    const cudaLibrary_t library = kernel->libraries[part];
    void **address = &kernel->symbols[number][part];
    char symbol[SYMBOL_BYTES];
    *bytes = 0;
    cudaError_t result = find_symbol(library, symbol_of(name, symbol), address, bytes);
    while (result == cudaErrorSymbolNotFound && (found = symbol_find(kernel->cubin, kernel->cubin_bytes, name, found)))
        result = find_symbol(library, found, address, bytes);
    if (result)
        *address = NULL;
    if (result != cudaErrorSymbolNotFound)
        return result;
    cudaGetLastError();
    return cudaSuccess;
}

/* Checks that the variable has room for the contents, or the size of the value. */
static bool fits(const struct gpu *gpu, const struct gpu_kernel *kernel, size_t number, size_t part, size_t bytes,
                 struct measurement *measurement)
{
    const struct launch_variable *variable = &kernel->launch.variables[number];
    const struct launch_argument *argument = argument_of(kernel, number);
    const struct gpu_buffer *buffer = variable->contents ? &gpu->buffers[argument->buffer] : NULL;
    if (!kernel->symbols[number][part] || (buffer ? buffer->bytes <= bytes : space_argument_bytes(argument) == bytes))
        return true;
    measurement->status = STATUS_LAUNCH_ERROR;
    if (buffer)
        measurement_explain(measurement, "%s has %zu bytes, '%s' has %llu", variable->name, bytes, buffer->name,
                            (unsigned long long)buffer->bytes);
    else
        measurement_explain(measurement, "%s has %zu bytes, its value has %u", variable->name, bytes,
                            (unsigned)space_argument_bytes(argument));
    return false;
}

/* Copies all values into memory on the device, from where each restore takes them. */
static cudaError_t make_values(struct gpu *gpu, struct gpu_kernel *kernel)
{
    const struct gpu_places places = gpu_own_places(gpu);
    const struct gpu_part whole = {0, 0};
    size_t total = 0, at = 0;
    for (size_t i = 0; i < kernel->launch.variable_count; i++)
        total += room_of(kernel, i);
    if (!total)
        return cudaSuccess;
    unsigned char *values = calloc(1, total);
    cudaError_t result = values ? cudaMalloc((void **)&kernel->values, total) : cudaErrorMemoryAllocation;
    for (size_t i = 0; i < kernel->launch.variable_count && !result; i++) {
        const unsigned char *pointer;
        if (!kernel->launch.variables[i].contents)
            memcpy(values + at, gpu_argument_value(kernel, argument_of(kernel, i), &places, &whole, &pointer),
                   space_argument_bytes(argument_of(kernel, i)));
        at += room_of(kernel, i);
    }
    if (!result)
        result = cudaMemcpyAsync(kernel->values, values, total, cudaMemcpyHostToDevice, gpu->stream);
    if (!result)
        result = cudaStreamSynchronize(gpu->stream);
    free(values);
    return result;
}

static void attach_one(struct gpu *gpu, struct gpu_kernel *kernel, size_t number, size_t part, size_t at,
                       struct measurement *measurement)
{
    size_t bytes;
    cudaError_t result = find(kernel, number, part, &bytes);
    if (!result && !fits(gpu, kernel, number, part, bytes, measurement))
        return;
    if (!result)
        result = set(gpu, kernel, number, part, at);
    if (!result)
        result = cudaStreamSynchronize(gpu->stream);
    if (result)
        gpu_refuse(gpu, result, measurement, "filling %s", kernel->launch.variables[number].name);
}

static void attach(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    cudaError_t result = make_values(gpu, kernel);
    size_t at = 0;
    if (result)
        gpu_refuse(gpu, result, measurement, "copying the values of variables");
    for (size_t i = 0; i < kernel->launch.variable_count; i++) {
        for (size_t p = 0; p < BUNDLE_PARTS_MAX && kernel->libraries[p] && measurement->status == STATUS_OK; p++)
            attach_one(gpu, kernel, i, p, at, measurement);
        at += room_of(kernel, i);
    }
}

static void detach(struct gpu_kernel *kernel)
{
    if (kernel->values)
        cudaFree(kernel->values);
    kernel->values = NULL;
    memset(kernel->symbols, 0, sizeof kernel->symbols);
}

const struct gpu_technique gpu_technique_device_variable = {
    .used = used, .attach = attach, .detach = detach, .restore = restore};
