/* texture and surface: creates texture objects over buffers, and surface objects over arrays with the buffers'
 * contents, and passes them as arguments. */
#include "device/check.h"
#include "device/gpu.h"
#include "device/techniques.h"

static bool used(const struct launch *launch)
{
    return launch->texture_count > 0;
}

static struct cudaChannelFormatDesc channels(const struct element_type *type)
{
    int bits = (int)(type->bytes / type->components * 8);
    return (struct cudaChannelFormatDesc){.x = bits,
                                          .y = type->components > 1 ? bits : 0,
                                          .z = type->components > 2 ? bits : 0,
                                          .w = type->components > 3 ? bits : 0,
                                          .f = type->family == FAMILY_INT    ? cudaChannelFormatKindSigned
                                               : type->family == FAMILY_UINT ? cudaChannelFormatKindUnsigned
                                                                             : cudaChannelFormatKindFloat};
}

/* By enum texture_address. */
static const enum cudaTextureAddressMode address_modes[ADDRESS_COUNT] = {cudaAddressModeClamp, cudaAddressModeWrap,
                                                                         cudaAddressModeMirror, cudaAddressModeBorder};

/* Returns the contents of a buffer at the start of a run, which a kernel may have changed since. Zeros are in new
 * memory, `zeros`, for the caller to free. */
static cudaError_t find_contents(const struct gpu *gpu, const struct gpu_buffer *buffer, void **contents, void **zeros)
{
    *contents = buffer->role == BUFFER_INOUT ? buffer->initial : buffer->data;
    if (*contents)
        return cudaSuccess;
    cudaError_t result = cudaMalloc(zeros, buffer->bytes);
    *contents = *zeros;
    return result ? result : cudaMemsetAsync(*zeros, 0, buffer->bytes, gpu->stream);
}

/* Queues a copy between an array and memory with its elements. */
static cudaError_t copy_array(const struct gpu *gpu, const struct launch_texture *texture, cudaArray_t array,
                              void *memory, bool to_array)
{
    const size_t width = (size_t)texture->width, height = texture->height ? (size_t)texture->height : 1;
    const size_t slices = texture->depth ? (size_t)texture->depth : texture->layers ? (size_t)texture->layers : 1;
    const struct cudaPitchedPtr linear = {memory, width * element_types[texture->type].bytes, width, height};
    struct cudaMemcpy3DParms copy = {.extent = {width, height, slices}, .kind = cudaMemcpyDeviceToDevice};
    if (to_array) {
        copy.srcPtr = linear;
        copy.dstArray = array;
    } else {
        copy.srcArray = array;
        copy.dstPtr = linear;
    }
    return cudaMemcpy3DAsync(&copy, gpu->stream);
}

static cudaError_t fill_array(const struct gpu *gpu, const struct launch_texture *texture, cudaArray_t array)
{
    void *contents = NULL, *zeros = NULL;
    cudaError_t result = find_contents(gpu, &gpu->buffers[texture->buffer], &contents, &zeros);
    if (!result)
        result = copy_array(gpu, texture, array, contents, true);
    if (!result)
        result = cudaStreamSynchronize(gpu->stream);
    cudaFree(zeros);
    return result;
}

static cudaError_t make_array(const struct gpu *gpu, const struct launch_texture *texture, cudaArray_t *array)
{
    const struct cudaChannelFormatDesc format = channels(&element_types[texture->type]);
    const struct cudaExtent extent = {(size_t)texture->width, (size_t)texture->height,
                                      (size_t)(texture->layers ? texture->layers : texture->depth)};
    const unsigned flags = (texture->layers ? cudaArrayLayered : cudaArrayDefault) |
                           (texture->memory == MEMORY_SURFACE ? cudaArraySurfaceLoadStore : cudaArrayDefault);
    cudaError_t result = cudaMalloc3DArray(array, &format, extent, flags);
    return result ? result : fill_array(gpu, texture, *array);
}

static struct cudaResourceDesc describe_buffer(const struct gpu *gpu, const struct launch_texture *texture)
{
    const struct element_type *type = &element_types[texture->type];
    void *data = gpu->buffers[texture->buffer].data;
    size_t row_bytes = (size_t)texture->width * type->bytes;
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeLinear};
    if (texture->height) {
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D.devPtr = data;
        resource.res.pitch2D.desc = channels(type);
        resource.res.pitch2D.width = (size_t)texture->width;
        resource.res.pitch2D.height = (size_t)texture->height;
        resource.res.pitch2D.pitchInBytes = row_bytes;
    } else {
        resource.res.linear.devPtr = data;
        resource.res.linear.desc = channels(type);
        resource.res.linear.sizeInBytes = row_bytes;
    }
    return resource;
}

static cudaError_t make_texture(const struct gpu *gpu, const struct launch_texture *texture, cudaArray_t *array,
                                unsigned long long *object)
{
    const uint16_t *address = texture->address;
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
    struct cudaTextureDesc description = {
        .addressMode = {address_modes[address[0]], address_modes[address[1]], address_modes[address[2]]},
        .filterMode = texture->filter == FILTER_LINEAR ? cudaFilterModeLinear : cudaFilterModePoint,
        .readMode = texture->read == UNIT_NORMALIZED ? cudaReadModeNormalizedFloat : cudaReadModeElementType,
        .normalizedCoords = texture->coordinates == UNIT_NORMALIZED};
    cudaError_t result = cudaSuccess;
    if (texture->memory == MEMORY_BUFFER) {
        resource = describe_buffer(gpu, texture);
    } else {
        result = make_array(gpu, texture, array);
        resource.res.array.array = *array;
    }
    if (result)
        return result;
    return texture->memory == MEMORY_SURFACE ? cudaCreateSurfaceObject(object, &resource)
                                             : cudaCreateTextureObject(object, &resource, &description, NULL);
}

static void attach(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    for (size_t i = 0; i < kernel->launch.texture_count; i++) {
        const struct launch_texture *texture = &kernel->launch.textures[i];
        if (!texture->width)
            continue;
        cudaError_t result = make_texture(gpu, texture, &kernel->texture_arrays[i], &kernel->textures[i]);
        if (!result)
            continue;
        gpu_refuse(gpu, result, measurement, "creating a %s over '%s'",
                   texture->memory == MEMORY_SURFACE ? "surface" : "texture", gpu->buffers[texture->buffer].name);
        return;
    }
}

static void detach(struct gpu_kernel *kernel)
{
    for (size_t i = 0; i < SPACE_TEXTURES_MAX; i++) {
        if (kernel->textures[i] && kernel->launch.textures[i].memory == MEMORY_SURFACE)
            cudaDestroySurfaceObject(kernel->textures[i]);
        else if (kernel->textures[i])
            cudaDestroyTextureObject(kernel->textures[i]);
        if (kernel->texture_arrays[i])
            cudaFreeArray(kernel->texture_arrays[i]);
        kernel->textures[i] = 0;
        kernel->texture_arrays[i] = NULL;
    }
}

/* Queues copies between the surfaces' arrays and their buffers of these roles, bits 1 << enum buffer_role. */
static cudaError_t copy_surfaces(const struct gpu *gpu, const struct gpu_kernel *kernel, unsigned roles, bool to_array)
{
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < kernel->launch.texture_count && !result; i++) {
        const struct launch_texture *texture = &kernel->launch.textures[i];
        const struct gpu_buffer *buffer = &gpu->buffers[texture->buffer];
        if (texture->memory == MEMORY_SURFACE && texture->width && roles >> buffer->role & 1u)
            result = copy_array(gpu, texture, kernel->texture_arrays[i], buffer->data, to_array);
    }
    return result;
}

/* The arrays of outputs and scratch get their buffers' poison, which only a verified run needs. */
static cudaError_t restore(struct gpu *gpu, struct gpu_kernel *kernel, bool checked)
{
    const unsigned poisoned = 1u << BUFFER_OUTPUT | 1u << BUFFER_SCRATCH;
    return copy_surfaces(gpu, kernel, 1u << BUFFER_INOUT | (checked ? poisoned : 0), true);
}

/* Inputs are copied, too: a kernel that has written to one is found out by the checksum of the buffer. */
static cudaError_t collect(struct gpu *gpu, struct gpu_kernel *kernel)
{
    return copy_surfaces(gpu, kernel, 1u << BUFFER_INPUT | 1u << BUFFER_OUTPUT | 1u << BUFFER_INOUT, false);
}

static const void *argument(const struct gpu_kernel *kernel, const struct launch_argument *argument,
                            const struct gpu_part *part)
{
    (void)part;
    const bool ours = argument->role == ARGUMENT_TEXTURE || argument->role == ARGUMENT_SURFACE;
    return ours ? &kernel->textures[argument->view] : NULL;
}

const struct gpu_technique gpu_technique_texture = {
    .used = used, .attach = attach, .detach = detach, .restore = restore, .collect = collect, .argument = argument};
