/* cluster: adds an attribute to the launch and opts in to large clusters. */
#include "device/techniques.h"

enum { PORTABLE_CLUSTER = 8 }; /* largest cluster that every device with clusters supports */

static bool used(const struct launch *launch)
{
    return launch->cluster[0] > 0;
}

static unsigned blocks_of(const struct launch *launch)
{
    return launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
}

static cudaError_t load(struct gpu_kernel *kernel)
{
    return blocks_of(&kernel->launch) > PORTABLE_CLUSTER
               ? cudaFuncSetAttribute((const void *)kernel->function, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)
               : cudaSuccess;
}

static void shape(const struct launch *launch, cudaLaunchConfig_t *config)
{
    config->attrs[config->numAttrs++] = (cudaLaunchAttribute){
        .id = cudaLaunchAttributeClusterDimension,
        .val.clusterDim = {.x = launch->cluster[0], .y = launch->cluster[1], .z = launch->cluster[2]}};
}

/* Asks the device whether a cluster fits: that depends on the kernel. */
static void attach(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    int clusters = 0;
    cudaLaunchAttribute attributes[TECHNIQUE_COUNT];
    cudaLaunchConfig_t config = gpu_configure(&kernel->launch, gpu->stream, attributes);
    cudaError_t result = cudaOccupancyMaxActiveClusters(&clusters, (const void *)kernel->function, &config);
    if (!result && clusters > 0)
        return;
    cudaGetLastError();
    measurement->status = STATUS_PRUNED_LIMIT;
    measurement_explain(measurement, "no cluster of %u blocks fits the device%s%s", blocks_of(&kernel->launch),
                        result ? ": " : "", result ? cudaGetErrorString(result) : "");
}

const struct gpu_technique gpu_technique_cluster = {.used = used, .load = load, .attach = attach, .shape = shape};
