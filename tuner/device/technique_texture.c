/* texture: creates texture objects over buffers and passes them as arguments. */
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

static cudaError_t fill_array(const struct gpu *gpu, const struct launch_texture *texture, cudaArray_t array)
{
    const size_t width = (size_t)texture->width, height = texture->height ? (size_t)texture->height : 1;
    const size_t slices = texture->depth ? (size_t)texture->depth : texture->layers ? (size_t)texture->layers : 1;
    void *contents = NULL, *zeros = NULL;
    cudaError_t result = find_contents(gpu, &gpu->buffers[texture->buffer], &contents, &zeros);
    const struct cudaMemcpy3DParms copy = {
        .srcPtr = {contents, width * element_types[texture->type].bytes, width, height},
        .dstArray = array,
        .extent = {width, height, slices},
        .kind = cudaMemcpyDeviceToDevice};
    if (!result)
        result = cudaMemcpy3DAsync(&copy, gpu->stream);
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
    cudaError_t result =
        cudaMalloc3DArray(array, &format, extent, texture->layers ? cudaArrayLayered : cudaArrayDefault);
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
                                cudaTextureObject_t *object)
{
    const uint16_t *address = texture->address;
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
    struct cudaTextureDesc description = {
        .addressMode = {address_modes[address[0]], address_modes[address[1]], address_modes[address[2]]},
        .filterMode = texture->filter == FILTER_LINEAR ? cudaFilterModeLinear : cudaFilterModePoint,
        .readMode = texture->read == UNIT_NORMALIZED ? cudaReadModeNormalizedFloat : cudaReadModeElementType,
        .normalizedCoords = texture->coordinates == UNIT_NORMALIZED};
    cudaError_t result = cudaSuccess;
    if (texture->memory == MEMORY_ARRAY) {
        result = make_array(gpu, texture, array);
        resource.res.array.array = *array;
    } else {
        resource = describe_buffer(gpu, texture);
    }
    return result ? result : cudaCreateTextureObject(object, &resource, &description, NULL);
}

static void attach(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    for (size_t i = 0; i < kernel->launch.texture_count; i++) {
        const struct launch_texture *texture = &kernel->launch.textures[i];
        cudaError_t result = make_texture(gpu, texture, &kernel->texture_arrays[i], &kernel->textures[i]);
        if (!result)
            continue;
        gpu_refuse(gpu, result, measurement, "creating a texture over '%s'", gpu->buffers[texture->buffer].name);
        return;
    }
}

static void detach(struct gpu_kernel *kernel)
{
    for (size_t i = 0; i < SPACE_TEXTURES_MAX; i++) {
        if (kernel->textures[i])
            cudaDestroyTextureObject(kernel->textures[i]);
        if (kernel->texture_arrays[i])
            cudaFreeArray(kernel->texture_arrays[i]);
        kernel->textures[i] = 0;
        kernel->texture_arrays[i] = NULL;
    }
}

static const void *argument(const struct gpu_kernel *kernel, const struct launch_argument *argument,
                            const struct gpu_part *part)
{
    (void)part;
    return argument->role == ARGUMENT_TEXTURE ? &kernel->textures[argument->view] : NULL;
}

const struct gpu_technique gpu_technique_texture = {
    .used = used, .attach = attach, .detach = detach, .argument = argument};
