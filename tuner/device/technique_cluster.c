/* cluster: adds an attribute to the launch and opts in to large clusters. */
#include "device/gpu.h"
#include "device/launch.h"
#include "device/techniques.h"

enum { PORTABLE_CLUSTER = 8 }; /* largest cluster that every device with clusters supports */

static bool used(const struct launch *launch)
{
    for (size_t s = 0; s < launch->step_count; s++)
        if (launch->steps[s].cluster[0])
            return true;
    return false;
}

static unsigned blocks_of(const struct launch_step *step)
{
    return step->cluster[0] * step->cluster[1] * step->cluster[2];
}

static cudaError_t load(struct gpu_kernel *kernel)
{
    cudaError_t result = cudaSuccess;
    for (size_t s = 0; s < kernel->launch.step_count && !result; s++) {
        const struct launch_step *step = &kernel->launch.steps[s];
        if (blocks_of(step) > PORTABLE_CLUSTER)
            result =
                cudaFuncSetAttribute(gpu_function(kernel, step), cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    }
    return result;
}

static void shape(const struct launch_step *step, cudaLaunchConfig_t *config)
{
    if (step->cluster[0])
        config->attrs[config->numAttrs++] = (cudaLaunchAttribute){
            .id = cudaLaunchAttributeClusterDimension,
            .val.clusterDim = {.x = step->cluster[0], .y = step->cluster[1], .z = step->cluster[2]}};
}

/* Asks the device if a cluster fits, because that depends on the kernel. */
static void attach(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    for (size_t s = 0; s < kernel->launch.step_count; s++) {
        const struct launch_step *step = &kernel->launch.steps[s];
        int clusters = 0;
        cudaLaunchAttribute attributes[GPU_ATTRIBUTES_MAX];
        if (!step->cluster[0])
            continue;
        cudaLaunchConfig_t config = gpu_configure(step, gpu->stream, attributes);
        cudaError_t result = cudaOccupancyMaxActiveClusters(&clusters, gpu_function(kernel, step), &config);
        if (!result && clusters > 0)
            continue;
        cudaGetLastError();
        measurement->status = STATUS_PRUNED_LIMIT;
        measurement_explain(measurement, "no cluster of %u blocks fits the device%s%s", blocks_of(step),
                            result ? ": " : "", result ? cudaGetErrorString(result) : "");
        return;
    }
}

const struct gpu_technique gpu_technique_cluster = {.used = used, .load = load, .attach = attach, .shape = shape};
