/* Loads kernels with their constants and textures, and launches them. */
#include <string.h>

#include "device/techniques.h"

cudaError_t gpu_load(struct gpu_kernel *kernel)
{
    const struct launch *launch = &kernel->launch;
    cudaError_t result = cudaLibraryLoadData(&kernel->library, kernel->cubin, NULL, NULL, 0, NULL, NULL, 0);
    if (!result)
        result = cudaLibraryGetKernel(&kernel->function, kernel->library, kernel->name);
    if (!result && launch->shared_bytes > 0)
        result = cudaFuncSetAttribute((const void *)kernel->function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      (int)launch->shared_bytes);
    return result ? result : gpu_techniques_load(kernel);
}

void gpu_unload(struct gpu_kernel *kernel)
{
    gpu_techniques_detach(kernel);
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

cudaLaunchConfig_t gpu_configure(const struct launch *launch, cudaStream_t stream,
                                 cudaLaunchAttribute attributes[TECHNIQUE_COUNT])
{
    cudaLaunchConfig_t config = {.gridDim = {launch->grid[0], launch->grid[1], launch->grid[2]},
                                 .blockDim = {launch->block[0], launch->block[1], launch->block[2]},
                                 .dynamicSmemBytes = (size_t)launch->shared_bytes,
                                 .stream = stream,
                                 .attrs = attributes};
    gpu_techniques_shape(launch, &config);
    return config;
}

cudaError_t gpu_launch_part(struct gpu_kernel *kernel, const struct gpu_places *places, cudaStream_t stream,
                            uint64_t offset, uint64_t length)
{
    const struct launch *launch = &kernel->launch;
    void *arguments[SPACE_ARGUMENTS_MAX];
    cudaLaunchAttribute attributes[TECHNIQUE_COUNT];
    const struct gpu_part part = {offset, length};
    for (size_t i = 0; i < launch->argument_count; i++) {
        const struct launch_argument *argument = &launch->arguments[i];
        const void *value = argument->buffer >= 0              ? (const void *)&places->data[argument->buffer]
                            : argument->role == ARGUMENT_PLAIN ? argument->scalar
                                                               : gpu_techniques_argument(kernel, argument, &part);
        arguments[i] = (void *)value;
    }
    const cudaLaunchConfig_t config = gpu_configure(launch, stream, attributes);
    return cudaLaunchKernelExC(&config, (const void *)kernel->function, arguments);
}

cudaError_t gpu_launch(struct gpu *gpu, struct gpu_kernel *kernel)
{
    struct gpu_places places = gpu_own_places(gpu);
    const struct gpu_way *way = gpu_way_of(&kernel->launch);
    if (way)
        return way->run(gpu, kernel, false);
    return gpu_launch_part(kernel, &places, gpu->stream, 0, 0);
}
