/* Loads kernels and launches them. */
#include "device/launch.h"

#include <math.h>
#include <string.h>

#include "device/buffers.h"
#include "device/gpu.h"
#include "device/library.h"
#include "device/precision.h"
#include "device/techniques.h"

const void *gpu_function(const struct gpu_kernel *kernel, const struct launch_step *step)
{
    return (const void *)kernel->functions[step->kernel];
}

/* Opts in to the largest dynamic shared memory of the kernel's launches. */
static cudaError_t allow_shared(const struct gpu_kernel *kernel, size_t number)
{
    uint64_t most = 0;
    for (size_t c = 0; c < launch_call_count(&kernel->launch); c++) {
        const struct launch_call call = launch_call_at(&kernel->launch, c);
        const struct launch_step step = launch_step_of(&kernel->launch, &call);
        if (step.kernel == number && step.shared_bytes > most)
            most = step.shared_bytes;
    }
    return most ? cudaFuncSetAttribute((const void *)kernel->functions[number],
                                       cudaFuncAttributeMaxDynamicSharedMemorySize, (int)most)
                : cudaSuccess;
}

cudaError_t gpu_load_code(cudaKernel_t function, int64_t *local_bytes)
{
    struct cudaFuncAttributes attributes;
    cudaError_t result = cudaFuncGetAttributes(&attributes, (const void *)function);
    if (!result && (int64_t)attributes.localSizeBytes > *local_bytes)
        *local_bytes = (int64_t)attributes.localSizeBytes;
    return result;
}

cudaError_t gpu_load(struct gpu_kernel *kernel)
{
    const char *name = kernel->names;
    if (kernel->shared_object) /* the library stays loaded and keeps its allocations */
        return cudaSuccess;
    struct bundle bundle;
    cudaError_t result =
        bundle_read(kernel->cubin, kernel->cubin_bytes, &bundle) ? cudaSuccess : cudaErrorInvalidKernelImage;
    for (size_t p = 0; p < bundle.part_count && !result; p++)
        result = cudaLibraryLoadData(&kernel->libraries[p], bundle.parts[p].bytes, NULL, NULL, 0, NULL, NULL, 0);
    for (size_t k = 0; k < kernel->launch.kernel_count && !result; k++, name += strlen(name) + 1) {
        result = cudaLibraryGetKernel(&kernel->functions[k], kernel->libraries[bundle.of[k]], name);
        if (!result)
            result = allow_shared(kernel, k);
    }
    result = result ? result : gpu_techniques_load(kernel);
    for (size_t k = 0; k < kernel->launch.kernel_count && !result; k++)
        result = gpu_load_code(kernel->functions[k], &kernel->local_bytes);
    return result;
}

void gpu_unload(struct gpu_kernel *kernel)
{
    gpu_techniques_detach(kernel);
    cudaFree(kernel->workspace);
    kernel->workspace = NULL;
    for (size_t p = 0; p < BUNDLE_PARTS_MAX && kernel->libraries[p]; p++) {
        cudaLibraryUnload(kernel->libraries[p]);
        kernel->libraries[p] = NULL;
    }
}

struct gpu_places gpu_own_places(const struct gpu *gpu)
{
    struct gpu_places places = {{NULL}};
    for (size_t i = 0; i < gpu->buffer_count; i++)
        places.data[i] = gpu->buffers[i].data;
    return places;
}

cudaLaunchConfig_t gpu_configure(const struct launch_step *step, cudaStream_t stream,
                                 cudaLaunchAttribute attributes[GPU_ATTRIBUTES_MAX])
{
    cudaLaunchConfig_t config = {.gridDim = {step->grid[0], step->grid[1], step->grid[2]},
                                 .blockDim = {step->block[0], step->block[1], step->block[2]},
                                 .dynamicSmemBytes = (size_t)step->shared_bytes,
                                 .stream = stream,
                                 .attrs = attributes};
    if (step->cooperative)
        attributes[config.numAttrs++] =
            (cudaLaunchAttribute){.id = cudaLaunchAttributeCooperative, .val.cooperative = 1};
    if (step->programmatic)
        attributes[config.numAttrs++] = (cudaLaunchAttribute){.id = cudaLaunchAttributeProgrammaticStreamSerialization,
                                                              .val.programmaticStreamSerializationAllowed = 1};
    gpu_techniques_shape(step, &config);
    return config;
}

/* ---- Grids ---- */

/* Counts the blocks of a launch that run at once. */
static cudaError_t resident_blocks(const struct gpu *gpu, const struct gpu_kernel *kernel,
                                   const struct launch_step *step, uint64_t *blocks)
{
    cudaLaunchAttribute attributes[GPU_ATTRIBUTES_MAX];
    struct launch_step one = *step;
    int fitting = 0;
    if (!step->cluster[0]) {
        cudaError_t result = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &fitting, gpu_function(kernel, step), (int)(step->block[0] * step->block[1] * step->block[2]),
            (size_t)step->shared_bytes);
        *blocks = (uint64_t)fitting * (uint64_t)gpu->limits.sm_count;
        return result;
    }
    memcpy(one.grid, step->cluster, sizeof one.grid);
    const cudaLaunchConfig_t config = gpu_configure(&one, gpu->stream, attributes);
    cudaError_t result = cudaOccupancyMaxActiveClusters(&fitting, gpu_function(kernel, step), &config);
    *blocks = (uint64_t)fitting * step->cluster[0] * step->cluster[1] * step->cluster[2];
    return result;
}

static void fit_grid(const struct gpu *gpu, const struct gpu_kernel *kernel, struct launch_step *step,
                     struct measurement *measurement)
{
    uint64_t blocks = 0;
    cudaError_t result = resident_blocks(gpu, kernel, step, &blocks);
    bool resident = step->grid[0] == 0;
    uint64_t wanted = resident ? 1 : (uint64_t)step->grid[0] * step->grid[1] * step->grid[2];
    if (result || wanted > blocks) {
        cudaGetLastError();
        measurement->status = STATUS_PRUNED_LIMIT;
        if (result)
            measurement_explain(measurement, "counting the blocks that run at once: %s", cudaGetErrorString(result));
        else
            measurement_explain(measurement, "a %s grid needs %llu blocks at once, of which %llu fit the device",
                                resident ? "resident" : "cooperative", (unsigned long long)wanted,
                                (unsigned long long)blocks);
    } else if (resident && step->cluster[0]) {
        memcpy(step->grid, step->cluster, sizeof step->grid);
        step->grid[0] = (uint32_t)(blocks / (step->cluster[1] * step->cluster[2]));
    } else if (resident) {
        step->grid[0] = (uint32_t)blocks;
        step->grid[1] = step->grid[2] = 1;
    }
}

/* Sets the size of resident grids, which is the same in all rounds of a loop, and checks that all blocks of cooperative
 * ones run at once. A failure sets the measurement's status. */
static void fit_grids(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    bool fitted[SPACE_LAUNCHES_MAX] = {false};
    for (size_t c = 0; c < launch_call_count(&kernel->launch) && measurement->status == STATUS_OK; c++) {
        const struct launch_call call = launch_call_at(&kernel->launch, c);
        struct launch_step *step = &kernel->launch.steps[call.step], own = launch_step_of(&kernel->launch, &call);
        const bool resident = step->grid[0] == 0;
        if (!resident && (!step->cooperative || (fitted[call.step] && !step->field_count)))
            continue;
        fit_grid(gpu, kernel, resident ? step : &own, measurement);
        fitted[call.step] = true;
    }
}

/* Allocates the memory that the compiler of the kernels wants. No kernel may rely on its contents. */
static void allocate_workspace(struct gpu_kernel *kernel, struct measurement *measurement)
{
    const uint64_t bytes = kernel->launch.workspace_bytes;
    if (!bytes || kernel->workspace)
        return;
    cudaError_t result = cudaMalloc((void **)&kernel->workspace, (size_t)bytes);
    if (!result)
        result = cudaMemset(kernel->workspace, CANARY, (size_t)bytes);
    if (!result)
        return;
    cudaGetLastError();
    measurement->status = STATUS_PRUNED_LIMIT;
    measurement_explain(measurement, "%llu bytes of scratch memory for the compiler: %s", (unsigned long long)bytes,
                        cudaGetErrorString(result));
}

void gpu_attach(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    fit_grids(gpu, kernel, measurement);
    allocate_workspace(kernel, measurement);
    gpu_techniques_attach(gpu, kernel, measurement);
}

/* ---- Launching ---- */

/* Writes the parts of an argument among its bytes. */
static const void *join(struct gpu_kernel *kernel, const struct launch_argument *argument,
                        const struct gpu_places *places, const struct gpu_part *part)
{
    unsigned char *bytes = (unsigned char *)&kernel->launch.words[argument->word];
    const unsigned char *pointer;
    for (size_t i = 0; i < argument->part_count; i++) {
        const struct launch_argument *inner = &kernel->launch.parts[argument->part_first + i];
        memcpy(bytes + inner->at, gpu_argument_value(kernel, inner, places, part, &pointer),
               space_argument_bytes(inner));
    }
    return bytes;
}

const void *gpu_argument_value(struct gpu_kernel *kernel, const struct launch_argument *argument,
                               const struct gpu_places *places, const struct gpu_part *part,
                               const unsigned char **pointer)
{
    if (argument->buffer >= 0) {
        *pointer = places->data[argument->buffer] + argument->offset_bytes;
        return pointer;
    }
    if (argument->role == ARGUMENT_WORKSPACE) {
        *pointer = kernel->workspace + argument->offset_bytes;
        return pointer;
    }
    return argument->role == ARGUMENT_PLAIN ? join(kernel, argument, places, part)
                                            : gpu_techniques_argument(kernel, argument, part);
}

static cudaError_t queue_step(struct gpu_kernel *kernel, const struct launch_step *step,
                              const struct gpu_places *places, cudaStream_t stream, const struct gpu_part *part)
{
    void *arguments[SPACE_ARGUMENTS_MAX];
    const unsigned char *pointers[SPACE_ARGUMENTS_MAX];
    cudaLaunchAttribute attributes[GPU_ATTRIBUTES_MAX];
    for (size_t i = 0; i < step->argument_count; i++)
        arguments[i] = (void *)gpu_argument_value(kernel, &kernel->launch.arguments[step->argument_first + i], places,
                                                  part, &pointers[i]);
    const cudaLaunchConfig_t config = gpu_configure(step, stream, attributes);
    return cudaLaunchKernelExC(&config, gpu_function(kernel, step), arguments);
}

cudaError_t gpu_launch_part(struct gpu_kernel *kernel, const struct gpu_places *places, cudaStream_t stream,
                            uint64_t offset, uint64_t length)
{
    const struct gpu_part part = {offset, length};
    return queue_step(kernel, &kernel->launch.steps[0], places, stream, &part);
}

/* A run while it is queued. */
struct queued_run {
    struct gpu *gpu;
    struct gpu_places first, now;     /* by buffer, before the run, and after the launches so far */
    uint32_t places[GPU_BUFFERS_MAX]; /* by buffer: the one in whose memory it is now */
};

static void exchange(struct queued_run *run, const struct launch *launch, const struct launch_step *step)
{
    launch_swap_places(launch, step, run->places);
    for (uint32_t i = 0; i < step->swap_count; i++) {
        const struct launch_swap *swap = &launch->swaps[step->swap_first + i];
        run->now.data[swap->a] = run->first.data[run->places[swap->a]];
        run->now.data[swap->b] = run->first.data[run->places[swap->b]];
    }
}

/* True if the number compares so with the wanted one. NaN equals nothing. */
static bool compares(enum until_sign sign, int order, bool ordered)
{
    switch (sign) {
    case UNTIL_EQUAL:
        return ordered && order == 0;
    case UNTIL_NOT_EQUAL:
        return !ordered || order != 0;
    case UNTIL_LESS:
        return ordered && order < 0;
    case UNTIL_AT_MOST:
        return ordered && order <= 0;
    case UNTIL_GREATER:
        return ordered && order > 0;
    case UNTIL_AT_LEAST:
        return ordered && order >= 0;
    }
    return false;
}

/* Widens an element to 64 bits, as in launch_until. */
static uint64_t widen(const struct element_type *type, const unsigned char *element)
{
    uint64_t bits = 0;
    float single;
    double real;
    memcpy(&bits, element, type->bytes); /* little-endian, as on the device */
    if (type->scalar == SCALAR_float) {
        memcpy(&single, element, sizeof single);
        real = (double)single;
        memcpy(&bits, &real, sizeof bits);
    } else if (type->family == FAMILY_INT && type->bytes < sizeof bits && bits >> (8 * type->bytes - 1)) {
        bits |= ~(uint64_t)0 << (8 * type->bytes);
    }
    return bits;
}

static bool until_holds(const struct launch_until *until, uint64_t bits)
{
    const enum until_sign sign = (enum until_sign)until->sign;
    const enum scalar_family family = element_types[until->type].family;
    double number, wanted;
    if (family == FAMILY_INT)
        return compares(sign, ((int64_t)bits > (int64_t)until->bits) - ((int64_t)bits < (int64_t)until->bits), true);
    if (family == FAMILY_UINT)
        return compares(sign, (bits > until->bits) - (bits < until->bits), true);
    memcpy(&number, &bits, sizeof number);
    memcpy(&wanted, &until->bits, sizeof wanted);
    return compares(sign, (number > wanted) - (number < wanted), !isnan(number));
}

/* Copies the element to the host, which waits for the launches so far, as a program with such a loop does. */
static int ask(void *context, const struct launch_until *until, bool *holds)
{
    struct queued_run *run = context;
    const struct element_type *type = &element_types[until->type];
    unsigned char element[sizeof(uint64_t)] = {0};
    cudaError_t result =
        cudaMemcpyAsync(element, run->now.data[until->buffer], type->bytes, cudaMemcpyDeviceToHost, run->gpu->stream);
    if (!result)
        result = cudaStreamSynchronize(run->gpu->stream);
    run->gpu->endless.bits = widen(type, element);
    *holds = until_holds(until, run->gpu->endless.bits);
    return (int)result;
}

static cudaError_t queue_call(struct queued_run *run, struct gpu_kernel *kernel, const struct launch_call *call)
{
    const struct gpu_part whole = {0, 0};
    const struct launch_step *step = &kernel->launch.steps[call->step];
    cudaError_t result = cudaSuccess;
    launch_enter(&kernel->launch, call);
    for (uint32_t i = 0; i < step->repeat && !result; i++) {
        const struct gpu_places wide = step->fp64 ? gpu_fp64_places(run->gpu, &run->now) : run->now;
        result = queue_step(kernel, step, &wide, run->gpu->stream, &whole);
        exchange(run, &kernel->launch, step);
    }
    return result;
}

cudaError_t gpu_launch_steps(struct gpu *gpu, struct gpu_kernel *kernel, struct gpu_places places)
{
    struct launch_walk walk;
    struct queued_run run = {.gpu = gpu, .first = places, .now = places};
    const struct launch_until *over = NULL;
    int result = 0;
    for (uint32_t b = 0; b < GPU_BUFFERS_MAX; b++)
        run.places[b] = b;
    gpu->endless.until = NULL;
    launch_walk_start(&walk, &kernel->launch);
    while (walk.call.step != LAUNCH_WALK_END && !result) {
        result = (int)queue_call(&run, kernel, &walk.call);
        if (!result)
            result = launch_walk_next(&walk, &kernel->launch, ask, &run, &over);
    }
    memcpy(kernel->places, run.places, sizeof kernel->places);
    kernel->placed = !result;
    gpu->endless.until = over;
    return over ? cudaErrorNotReady : (cudaError_t)result;
}

void gpu_places_after(const struct gpu *gpu, const struct gpu_kernel *kernel, uint32_t *places)
{
    if (kernel->placed && space_launch_moves(&kernel->launch))
        memcpy(places, kernel->places, gpu->buffer_count * sizeof *places);
    else
        space_launch_places(&kernel->launch, gpu->buffer_count, places);
}

cudaError_t gpu_launch(struct gpu *gpu, struct gpu_kernel *kernel)
{
    const struct gpu_way *way = gpu_way_of(&kernel->launch);
    if (kernel->shared_object)
        return gpu_shared_run(gpu, kernel);
    return way ? way->run(gpu, kernel, false) : gpu_launch_steps(gpu, kernel, gpu_own_places(gpu));
}
