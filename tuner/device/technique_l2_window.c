/* l2_window: sets the access policy window of the streams, and sets aside a part of the L2. */
#include "device/gpu.h"
#include "device/techniques.h"

static bool used(const struct launch *launch)
{
    return launch->window.bytes > 0;
}

static cudaError_t set_window(cudaStream_t stream, const struct cudaAccessPolicyWindow *window)
{
    const cudaLaunchAttributeValue value = {.accessPolicyWindow = *window};
    return cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value);
}

static cudaError_t set_windows(struct gpu *gpu, const struct cudaAccessPolicyWindow *window)
{
    cudaError_t result = set_window(gpu->stream, window);
    for (size_t i = 0; i < gpu->pipeline.stream_count && !result; i++)
        result = set_window(gpu->pipeline.streams[i], window);
    return result;
}

static cudaError_t enter(struct gpu *gpu, struct gpu_kernel *kernel)
{
    const struct launch_window *window = &kernel->launch.window;
    const struct cudaAccessPolicyWindow policy = {.base_ptr = gpu->buffers[window->buffer].data,
                                                  .num_bytes = (size_t)window->bytes,
                                                  .hitRatio = (float)window->hit_ratio,
                                                  .hitProp = (enum cudaAccessProperty)window->hit,
                                                  .missProp = (enum cudaAccessProperty)window->miss};
    cudaError_t result = cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, (size_t)window->set_aside_bytes);
    return result ? result : set_windows(gpu, &policy);
}

static cudaError_t leave(struct gpu *gpu, struct gpu_kernel *kernel)
{
    const struct cudaAccessPolicyWindow none = {.hitProp = cudaAccessPropertyNormal,
                                                .missProp = cudaAccessPropertyNormal};
    (void)kernel;
    cudaError_t result = set_windows(gpu, &none);
    if (!result)
        result = cudaCtxResetPersistingL2Cache();
    return result ? result : cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
}

const struct gpu_technique gpu_technique_l2_window = {.used = used, .enter = enter, .leave = leave};
