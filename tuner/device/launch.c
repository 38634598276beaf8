/* Loads kernels with their constants and textures, and launches them. */
#include <string.h>

#include "device/gpu.h"

enum { PORTABLE_CLUSTER = 8 }; /* largest cluster that every device with clusters supports */

static unsigned cluster_blocks(const struct launch *launch)
{
    return launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
}

cudaError_t gpu_load(struct gpu_kernel *kernel)
{
    const struct launch *launch = &kernel->launch;
    cudaError_t result = cudaLibraryLoadData(&kernel->library, kernel->cubin, NULL, NULL, 0, NULL, NULL, 0);
    if (!result)
        result = cudaLibraryGetKernel(&kernel->function, kernel->library, kernel->name);
    const struct {
        bool wanted;
        enum cudaFuncAttribute attribute;
        int value;
    } attributes[] = {
        {launch->shared_bytes > 0, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)launch->shared_bytes},
        {launch->has_carveout, cudaFuncAttributePreferredSharedMemoryCarveout, launch->carveout},
        {cluster_blocks(launch) > PORTABLE_CLUSTER, cudaFuncAttributeNonPortableClusterSizeAllowed, 1},
    };
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes && !result; i++)
        if (attributes[i].wanted)
            result = cudaFuncSetAttribute((const void *)kernel->function, attributes[i].attribute, attributes[i].value);
    return result;
}

void gpu_unload(struct gpu_kernel *kernel)
{
    gpu_free_textures(kernel);
    if (kernel->library)
        cudaLibraryUnload(kernel->library);
    kernel->library = NULL;
}

struct gpu_places gpu_own_places(const struct gpu *gpu)
{
    struct gpu_places places = {{NULL}};
    for (size_t i = 0; i < gpu->buffer_count; i++)
        places.data[i] = gpu->buffers[i].data;
    return places;
}

/* The configuration of a launch. `attribute` provides memory for a cluster's attribute. */
static cudaLaunchConfig_t configure(const struct launch *launch, cudaStream_t stream, cudaLaunchAttribute *attribute)
{
    cudaLaunchConfig_t config = {.gridDim = {launch->grid[0], launch->grid[1], launch->grid[2]},
                                 .blockDim = {launch->block[0], launch->block[1], launch->block[2]},
                                 .dynamicSmemBytes = (size_t)launch->shared_bytes,
                                 .stream = stream};
    if (launch->cluster[0]) {
        *attribute = (cudaLaunchAttribute){
            .id = cudaLaunchAttributeClusterDimension,
            .val.clusterDim = {.x = launch->cluster[0], .y = launch->cluster[1], .z = launch->cluster[2]}};
        config.attrs = attribute;
        config.numAttrs = 1;
    }
    return config;
}

/* Asks the device whether a cluster fits: that depends on the kernel. */
static void check_cluster(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    int clusters = 0;
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = configure(&kernel->launch, gpu->stream, &attribute);
    cudaError_t result = cudaOccupancyMaxActiveClusters(&clusters, (const void *)kernel->function, &config);
    if (!result && clusters > 0)
        return;
    cudaGetLastError();
    measurement->status = STATUS_PRUNED_LIMIT;
    measurement_explain(measurement, "no cluster of %u blocks fits the device%s%s", cluster_blocks(&kernel->launch),
                        result ? ": " : "", result ? cudaGetErrorString(result) : "");
}

void gpu_attach(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    if (kernel->launch.cluster[0])
        check_cluster(gpu, kernel, measurement);
    if (measurement->status == STATUS_OK)
        gpu_fill_constants(gpu, kernel, measurement);
    if (measurement->status == STATUS_OK)
        gpu_make_textures(gpu, kernel, measurement);
}

cudaError_t gpu_launch_part(struct gpu_kernel *kernel, const struct gpu_places *places, cudaStream_t stream,
                            uint64_t offset, uint64_t length)
{
    const struct launch *launch = &kernel->launch;
    void *arguments[SPACE_ARGUMENTS_MAX];
    cudaLaunchAttribute attribute;
    for (size_t i = 0; i < launch->argument_count; i++) {
        const struct launch_argument *argument = &launch->arguments[i];
        const void *scalar = argument->role == ARGUMENT_TEXTURE ? (const void *)&kernel->textures[argument->texture]
                             : argument->role == ARGUMENT_CHUNK_OFFSET ? (const void *)&offset
                             : argument->role == ARGUMENT_CHUNK_LENGTH ? (const void *)&length
                                                                       : argument->scalar;
        arguments[i] = (void *)(argument->buffer >= 0 ? (const void *)&places->data[argument->buffer] : scalar);
    }
    cudaLaunchConfig_t config = configure(launch, stream, &attribute);
    return cudaLaunchKernelExC(&config, (const void *)kernel->function, arguments);
}

cudaError_t gpu_launch(struct gpu *gpu, struct gpu_kernel *kernel)
{
    struct gpu_places places = gpu_own_places(gpu);
    if (kernel->launch.pipeline.total)
        return gpu_pipeline_run(gpu, kernel, false);
    return gpu_launch_part(kernel, &places, gpu->stream, 0, 0);
}
