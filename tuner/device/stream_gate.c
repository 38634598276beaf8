/* Holds the stream with a kernel that waits for a number in host memory. */
#include "device/stream_gate.h"
#include "device/check.h"
#include "device/gpu.h"

/* Longer than queueing takes, so that a hold rarely times out. */
static const unsigned long long limit_ns = 50000000;

int gpu_open_gate(struct gpu *gpu, struct error *error)
{
    int code = gpu_check(cudaHostAlloc((void **)&gpu->released, sizeof *gpu->released, cudaHostAllocMapped),
                         "allocating host memory", error);
    if (!code)
        *gpu->released = gpu->held = 0;
    return code;
}

cudaError_t gpu_close_gate(struct gpu *gpu)
{
    unsigned long long limit = limit_ns;
    unsigned number = ++gpu->held;
    void *released = NULL;
    void *arguments[] = {&released, &number, &limit};
    cudaError_t result = cudaHostGetDevicePointer(&released, gpu->released, 0);
    cudaLaunchConfig_t config = {.gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}, .stream = gpu->stream};
    return result ? result : cudaLaunchKernelExC(&config, (const void *)gpu->helpers[HELPER_GATE], arguments);
}

void gpu_release(struct gpu *gpu)
{
    __atomic_store_n(gpu->released, gpu->held, __ATOMIC_RELEASE);
}
