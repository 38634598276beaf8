/* What a kernel accesses other than by pointers: constant memory and textures. */
#include <string.h>

#include "device/gpu.h"

/* A missing symbol is not an error: the preprocessor removed it from this variant, or no code reads it. */
void gpu_fill_constants(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    for (size_t i = 0; i < kernel->launch.constant_count; i++) {
        const struct launch_constant *constant = &kernel->launch.constants[i];
        const struct gpu_buffer *buffer = &gpu->buffers[constant->buffer];
        void *symbol = NULL;
        size_t bytes = 0;
        cudaError_t result = cudaLibraryGetGlobal(&symbol, &bytes, kernel->library, constant->symbol);
        if (result == cudaErrorSymbolNotFound) {
            cudaGetLastError();
            continue;
        }
        if (!result && bytes < buffer->bytes) {
            measurement->status = STATUS_LAUNCH_ERROR;
            measurement_explain(measurement, "%s has %zu bytes, '%s' has %llu", constant->symbol, bytes, buffer->name,
                                (unsigned long long)buffer->bytes);
            return;
        }
        if (!result)
            result = cudaMemcpyAsync(symbol, buffer->data, buffer->bytes, cudaMemcpyDeviceToDevice, gpu->stream);
        if (!result)
            result = cudaStreamSynchronize(gpu->stream);
        if (result) {
            cudaGetLastError();
            gpu->refusal = result;
            measurement->status = STATUS_LAUNCH_ERROR;
            measurement_explain(measurement, "filling %s: %s", constant->symbol, cudaGetErrorString(result));
            return;
        }
    }
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

static cudaError_t make_texture(const struct gpu *gpu, const struct launch_texture *texture,
                                cudaTextureObject_t *object)
{
    const struct element_type *type = &element_types[texture->type];
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeLinear};
    struct cudaTextureDesc description = {
        .addressMode = {cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp},
        .filterMode = texture->filter == FILTER_LINEAR ? cudaFilterModeLinear : cudaFilterModePoint,
        .readMode = cudaReadModeElementType};
    void *data = gpu->buffers[texture->buffer].data;
    size_t row_bytes = (size_t)texture->width * type->bytes;
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
    return cudaCreateTextureObject(object, &resource, &description, NULL);
}

void gpu_make_textures(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    for (size_t i = 0; i < kernel->launch.texture_count; i++) {
        const struct launch_texture *texture = &kernel->launch.textures[i];
        cudaError_t result = make_texture(gpu, texture, &kernel->textures[i]);
        if (!result)
            continue;
        cudaGetLastError();
        gpu->refusal = result;
        measurement->status = STATUS_LAUNCH_ERROR;
        measurement_explain(measurement, "making a texture over '%s': %s", gpu->buffers[texture->buffer].name,
                            cudaGetErrorString(result));
        return;
    }
}

void gpu_free_textures(struct gpu_kernel *kernel)
{
    for (size_t i = 0; i < SPACE_TEXTURES_MAX; i++) {
        if (kernel->textures[i])
            cudaDestroyTextureObject(kernel->textures[i]);
        kernel->textures[i] = 0;
    }
}
