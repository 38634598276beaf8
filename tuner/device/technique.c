/* Calls the techniques of a launch. They undo all their settings of the device, so that nothing remains for the next
 * configuration. */
#include "device/gpu.h"
#include "device/techniques.h"

#define TECHNIQUE_DEVICE(name) extern const struct gpu_technique gpu_technique_##name;
#define TECHNIQUE_NONE(name)
#define TECHNIQUE(name, effect) TECHNIQUE_##effect(name)
#include "lists/techniques.def"
#undef TECHNIQUE_DEVICE

#define TECHNIQUE_DEVICE(name) &gpu_technique_##name,
static const struct gpu_technique *const techniques[] = {
#include "lists/techniques.def"
};
#undef TECHNIQUE
#undef TECHNIQUE_DEVICE
#undef TECHNIQUE_NONE
enum { COUNT = sizeof techniques / sizeof *techniques };

const struct gpu_way *gpu_way_of(const struct launch *launch)
{
    for (int i = 0; i < COUNT; i++)
        if (techniques[i]->way && techniques[i]->used(launch))
            return techniques[i]->way;
    return NULL;
}

cudaError_t gpu_techniques_load(struct gpu_kernel *kernel)
{
    cudaError_t result = cudaSuccess;
    for (int i = 0; i < COUNT && !result; i++)
        if (techniques[i]->load && techniques[i]->used(&kernel->launch))
            result = techniques[i]->load(kernel);
    return result;
}

void gpu_techniques_attach(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    for (int i = 0; i < COUNT && measurement->status == STATUS_OK; i++)
        if (techniques[i]->attach && techniques[i]->used(&kernel->launch))
            techniques[i]->attach(gpu, kernel, measurement);
}

void gpu_techniques_detach(struct gpu_kernel *kernel)
{
    for (int i = 0; i < COUNT; i++)
        if (techniques[i]->detach && techniques[i]->used(&kernel->launch))
            techniques[i]->detach(kernel);
}

cudaError_t gpu_techniques_restore(struct gpu *gpu, struct gpu_kernel *kernel, bool checked)
{
    cudaError_t result = cudaSuccess;
    for (int i = 0; i < COUNT && !result; i++)
        if (techniques[i]->restore && techniques[i]->used(&kernel->launch))
            result = techniques[i]->restore(gpu, kernel, checked);
    return result;
}

cudaError_t gpu_techniques_collect(struct gpu *gpu, struct gpu_kernel *kernel)
{
    cudaError_t result = cudaSuccess;
    for (int i = 0; i < COUNT && !result; i++)
        if (techniques[i]->collect && techniques[i]->used(&kernel->launch))
            result = techniques[i]->collect(gpu, kernel);
    return result;
}

void gpu_techniques_shape(const struct launch_step *step, cudaLaunchConfig_t *config)
{
    for (int i = 0; i < COUNT; i++)
        if (techniques[i]->shape)
            techniques[i]->shape(step, config);
}

const void *gpu_techniques_argument(const struct gpu_kernel *kernel, const struct launch_argument *argument,
                                    const struct gpu_part *part)
{
    const void *value = NULL;
    for (int i = 0; i < COUNT && !value; i++)
        if (techniques[i]->argument)
            value = techniques[i]->argument(kernel, argument, part);
    return value;
}

cudaError_t gpu_enter(struct gpu *gpu, struct gpu_kernel *kernel)
{
    cudaError_t result = cudaSuccess;
    for (int i = COUNT - 1; i >= 0 && !result; i--)
        if (techniques[i]->enter && techniques[i]->used(&kernel->launch))
            result = techniques[i]->enter(gpu, kernel);
    return result;
}

cudaError_t gpu_leave(struct gpu *gpu, struct gpu_kernel *kernel)
{
    cudaError_t result = cudaSuccess;
    for (int i = 0; i < COUNT && !result; i++)
        if (techniques[i]->leave && techniques[i]->used(&kernel->launch))
            result = techniques[i]->leave(gpu, kernel);
    return result;
}
