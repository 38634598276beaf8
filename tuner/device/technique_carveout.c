/* carveout: sets an attribute of the loaded kernel. */
#include "device/techniques.h"

static bool used(const struct launch *launch)
{
    return launch->has_carveout;
}

static cudaError_t load(struct gpu_kernel *kernel)
{
    return cudaFuncSetAttribute((const void *)kernel->function, cudaFuncAttributePreferredSharedMemoryCarveout,
                                kernel->launch.carveout);
}

const struct gpu_technique gpu_technique_carveout = {.used = used, .load = load};
