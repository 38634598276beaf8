/* Host memory of all kinds, in regions with the layout of device buffers: guard, data, guard. Keeps the regions of a
 * kind for later configurations, up to a total size. */
#include "device/host.h"

#include <stdlib.h>
#include <string.h>

#include "device/buffers.h"
#include "device/gpu.h"

enum { PAGE = 4096 };
static const uint64_t kept_most_bytes = (uint64_t)8 << 30;

static cudaError_t allocate_pages(void **memory, size_t bytes)
{
    return posix_memalign(memory, PAGE, bytes) ? cudaErrorMemoryAllocation : cudaSuccess;
}

static cudaError_t allocate(enum host_memory kind, size_t bytes, unsigned char **memory)
{
    void *made = NULL;
    cudaError_t result = cudaErrorNotSupported;
    switch (kind) {
    case HOST_PAGEABLE:
        result = allocate_pages(&made, bytes);
        break;
    case HOST_PINNED:
        result = cudaHostAlloc(&made, bytes, cudaHostAllocDefault);
        break;
    case HOST_REGISTERED:
        result = allocate_pages(&made, bytes);
        if (!result && (result = cudaHostRegister(made, bytes, cudaHostRegisterDefault))) {
            free(made);
            made = NULL;
        }
        break;
    case HOST_WRITE_COMBINED:
        result = cudaHostAlloc(&made, bytes, cudaHostAllocWriteCombined);
        break;
    case HOST_MAPPED:
        result = cudaHostAlloc(&made, bytes, cudaHostAllocMapped);
        break;
    case HOST_MANAGED:
        result = cudaMallocManaged(&made, bytes, cudaMemAttachGlobal);
        break;
    case HOST_COUNT:
        break;
    }
    *memory = result ? NULL : made;
    return result;
}

static void release(enum host_memory kind, unsigned char **memory)
{
    if (!*memory)
        return;
    if (kind == HOST_MANAGED)
        cudaFree(*memory);
    else if (kind != HOST_PAGEABLE && kind != HOST_REGISTERED)
        cudaFreeHost(*memory);
    else {
        if (kind == HOST_REGISTERED)
            cudaHostUnregister(*memory);
        free(*memory);
    }
    *memory = NULL;
}

static void release_kind(struct gpu_host *hosts, enum host_memory kind)
{
    for (size_t i = 0; i < SPACE_COPIES_MAX; i++) {
        release(kind, &hosts[kind].regions[i]);
        release(kind, &hosts[kind].staging[i]);
    }
    hosts[kind].bytes = 0;
}

static void release_others(struct gpu_host *hosts, enum host_memory kind)
{
    for (int other = 0; other < HOST_COUNT; other++)
        if (other != (int)kind)
            release_kind(hosts, (enum host_memory)other);
}

void gpu_host_free(struct gpu *gpu)
{
    release_others(gpu->pipeline.hosts, HOST_COUNT);
}

static uint64_t kept_bytes(const struct gpu_host *hosts)
{
    uint64_t bytes = 0;
    for (int kind = 0; kind < HOST_COUNT; kind++)
        bytes += hosts[kind].bytes;
    return bytes;
}

static cudaError_t make_region(struct gpu_host *hosts, enum host_memory kind, size_t bytes, unsigned char **region)
{
    if (*region)
        return cudaSuccess;
    if (kept_bytes(hosts) + bytes > kept_most_bytes)
        release_others(hosts, kind);
    cudaError_t result = allocate(kind, bytes, region);
    if (result == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        release_others(hosts, kind);
        result = allocate(kind, bytes, region);
    }
    if (!result)
        hosts[kind].bytes += bytes;
    return result;
}

cudaError_t gpu_host_make(struct gpu *gpu, const struct launch_pipeline *pipeline, bool *made)
{
    struct gpu_host *hosts = gpu->pipeline.hosts, *host = &hosts[pipeline->host_memory];
    enum host_memory kind = (enum host_memory)pipeline->host_memory;
    cudaError_t result = cudaSuccess;
    *made = false;
    for (size_t i = 0; i < pipeline->copy_count && !result; i++) {
        *made |= !host->regions[i];
        size_t bytes = (size_t)gpu->buffers[pipeline->copies[i].buffer].bytes;
        result = make_region(hosts, kind, bytes + 2 * GUARD_BYTES, &host->regions[i]);
        if (!result && pipeline->packed)
            result = make_region(hosts, kind, bytes, &host->staging[i]);
    }
    return result;
}
