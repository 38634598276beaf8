/* Sets what a configuration changes on the device for its runs, and resets it: the L2 window of the streams, the
 * set-aside part of the L2, and the threshold of the memory pool. Nothing remains for the next configuration. */
#include "device/gpu.h"

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

/* Lets the pool keep its memory between runs, as users of pools do. By default it releases memory at every
 * synchronisation. */
static cudaError_t keep_pool(bool keep)
{
    int device = 0;
    cudaMemPool_t pool = NULL;
    uint64_t threshold = keep ? UINT64_MAX : 0;
    cudaError_t result = cudaGetDevice(&device);
    if (!result)
        result = cudaDeviceGetDefaultMemPool(&pool, device);
    if (!result)
        result = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
    if (!result && !keep)
        result = cudaMemPoolTrimTo(pool, 0);
    return result;
}

static bool uses_pool(const struct launch *launch)
{
    return launch->pipeline.total && launch->pipeline.allocation == ALLOCATION_POOL;
}

cudaError_t gpu_enter(struct gpu *gpu, struct gpu_kernel *kernel)
{
    const struct launch_window *window = &kernel->launch.window;
    const struct cudaAccessPolicyWindow policy = {.base_ptr = window->bytes ? gpu->buffers[window->buffer].data : NULL,
                                                  .num_bytes = (size_t)window->bytes,
                                                  .hitRatio = (float)window->hit_ratio,
                                                  .hitProp = (enum cudaAccessProperty)window->hit,
                                                  .missProp = (enum cudaAccessProperty)window->miss};
    cudaError_t result = kernel->launch.pipeline.total ? gpu_pipeline_open(gpu, kernel) : cudaSuccess;
    if (!result && uses_pool(&kernel->launch))
        result = keep_pool(true);
    if (!result && window->bytes)
        result = cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, (size_t)window->set_aside_bytes);
    if (!result && window->bytes)
        result = set_windows(gpu, &policy);
    return result;
}

cudaError_t gpu_leave(struct gpu *gpu, const struct gpu_kernel *kernel)
{
    const struct cudaAccessPolicyWindow none = {.hitProp = cudaAccessPropertyNormal,
                                                .missProp = cudaAccessPropertyNormal};
    cudaError_t result = cudaSuccess;
    if (kernel->launch.window.bytes) {
        result = set_windows(gpu, &none);
        if (!result)
            result = cudaCtxResetPersistingL2Cache();
        if (!result)
            result = cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
    }
    if (!result && uses_pool(&kernel->launch))
        result = keep_pool(false);
    return result;
}
