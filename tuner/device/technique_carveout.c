/* carveout: sets an attribute of the loaded kernel. */
#include "device/gpu.h"
#include "device/techniques.h"

static bool used(const struct launch *launch)
{
    return launch->has_carveout;
}

static cudaError_t load(struct gpu_kernel *kernel)
{
    cudaError_t result = cudaSuccess;
    for (size_t k = 0; k < kernel->launch.kernel_count && !result; k++)
        result = cudaFuncSetAttribute((const void *)kernel->functions[k],
                                      cudaFuncAttributePreferredSharedMemoryCarveout, kernel->launch.carveout);
    return result;
}

const struct gpu_technique gpu_technique_carveout = {.used = used, .load = load};
