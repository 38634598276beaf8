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

static cudaError_t make_texture(const struct gpu *gpu, const struct launch_texture *texture,
                                cudaTextureObject_t *object)
{
    const struct element_type *type = &element_types[texture->type];
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeLinear};
    struct cudaTextureDesc description = {
        .addressMode = {address_modes[texture->address[0]], address_modes[texture->address[1]], cudaAddressModeClamp},
        .filterMode = texture->filter == FILTER_LINEAR ? cudaFilterModeLinear : cudaFilterModePoint,
        .readMode = texture->read == UNIT_NORMALIZED ? cudaReadModeNormalizedFloat : cudaReadModeElementType,
        .normalizedCoords = texture->coordinates == UNIT_NORMALIZED};
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

static void attach(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    for (size_t i = 0; i < kernel->launch.texture_count; i++) {
        const struct launch_texture *texture = &kernel->launch.textures[i];
        cudaError_t result = make_texture(gpu, texture, &kernel->textures[i]);
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
        kernel->textures[i] = 0;
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
