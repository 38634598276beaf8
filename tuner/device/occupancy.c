#include "device/occupancy.h"

#include <limits.h>
#include <stddef.h>

#include <cuda_runtime_api.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <cuda_occupancy.h>
#pragma GCC diagnostic pop

static const struct {
    unsigned factor;
    const char *name;
} factors[] = {{OCC_LIMIT_WARPS, "warps"},
               {OCC_LIMIT_REGISTERS, "registers"},
               {OCC_LIMIT_SHARED_MEMORY, "shared memory"},
               {OCC_LIMIT_BLOCKS, "blocks"}};

struct occupancy occupancy_of(const struct device_limits *limits, int64_t threads, int64_t registers,
                              int64_t shared_static, int64_t shared_dynamic)
{
    struct occupancy occupancy = {.limit = "threads"};
    cudaOccDeviceProp device = {.computeMajor = (int)(limits->cc / 10),
                                .computeMinor = (int)(limits->cc % 10),
                                .maxThreadsPerBlock = (int)limits->max_threads,
                                .maxThreadsPerMultiprocessor = (int)limits->max_threads_sm,
                                .regsPerBlock = (int)limits->registers_block,
                                .regsPerMultiprocessor = (int)limits->registers_sm,
                                .warpSize = (int)limits->warp,
                                .sharedMemPerBlock = (size_t)limits->shared_default,
                                .sharedMemPerMultiprocessor = (size_t)limits->shared_sm,
                                .numSms = (int)limits->sm_count,
                                .sharedMemPerBlockOptin = (size_t)limits->shared_limit,
                                .reservedSharedMemPerBlock = (size_t)limits->shared_reserved};
    cudaOccFuncAttributes function = {.maxThreadsPerBlock = (int)limits->max_threads,
                                      .numRegs = (int)registers,
                                      .sharedSizeBytes = (size_t)shared_static,
                                      .partitionedGCConfig = PARTITIONED_GC_OFF,
                                      .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
                                      .maxDynamicSharedSizeBytes = (size_t)shared_dynamic,
                                      .numBlockBarriers = 1};
    cudaOccDeviceState state = {.cacheConfig = CACHE_PREFER_NONE, .carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
    cudaOccResult result;
    if (shared_static + shared_dynamic > limits->shared_limit) {
        occupancy.limit = "shared memory";
        return occupancy;
    }
    if (threads < 1 || threads > limits->max_threads ||
        cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, (int)threads,
                                                (size_t)shared_dynamic) != CUDA_OCC_SUCCESS)
        return occupancy;
    /* A resource that the kernel does not use sets no limit. */
    occupancy.blocks_most = result.blockLimitBlocks;
    occupancy.blocks_warps = result.blockLimitWarps;
    occupancy.blocks_registers = result.blockLimitRegs < INT_MAX ? result.blockLimitRegs : occupancy.blocks_most;
    occupancy.blocks_shared = result.blockLimitSharedMem < INT_MAX ? result.blockLimitSharedMem : occupancy.blocks_most;
    int64_t warps = (threads + limits->warp - 1) / limits->warp;
    occupancy.blocks_sm = result.activeBlocksPerMultiprocessor;
    occupancy.fraction = (double)(occupancy.blocks_sm * warps) / (double)(limits->max_threads_sm / limits->warp);
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        if (result.limitingFactors & factors[i].factor)
            occupancy.limit = factors[i].name;
    return occupancy;
}
