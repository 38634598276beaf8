#include "plan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "extension.h"

enum { SCRATCH_ALIGNMENT = 256, MAP_ALIGNMENT = 64, VALUE_ALIGNMENT = 16 };

static size_t round_up(size_t bytes, size_t alignment)
{
    return (bytes + alignment - 1) / alignment * alignment;
}

/* ---- Buffers ---- */

static void add_parameter(struct plan *plan, unsigned buffer)
{
    for (size_t i = 0; i < plan->parameter_count; i++)
        if (plan->parameters[i] == buffer)
            return;
    if (!plan->sequence->buffers[buffer].scratch)
        plan->parameters[plan->parameter_count++] = buffer;
}

static int add_argument(struct plan *plan, const struct cutune_argument *argument)
{
    if (argument->kind == CUTUNE_ARGUMENT_CALLER)
        return raise_error(CUTUNE_ERROR_USAGE, "cutune.Database.best has the configuration for a launch of your own",
                           "a kernel with textures or chunks as arguments cannot be called");
    if (argument->kind == CUTUNE_ARGUMENT_BUFFER)
        add_parameter(plan, argument->index);
    if (argument->kind == CUTUNE_ARGUMENT_TENSOR_MAP)
        add_parameter(plan, plan->sequence->tensor_maps[argument->index].buffer);
    for (size_t p = 0; p < argument->part_count; p++)
        if (add_argument(plan, &argument->parts[p]))
            return -1;
    return 0;
}

/* Counts the arguments of the only launch, if they are different buffers and numbers, one of them at least. */
static void find_full_count(struct plan *plan)
{
    const struct cutune_launch *launch = plan->sequence->launches;
    size_t arrays = 0;
    if (plan->sequence->launch_count != 1)
        return;
    for (size_t a = 0; a < launch->argument_count; a++) {
        const struct cutune_argument *argument = &launch->arguments[a];
        if (argument->kind == CUTUNE_ARGUMENT_BUFFER && !plan->sequence->buffers[argument->index].scratch)
            arrays++;
        else if (argument->kind != CUTUNE_ARGUMENT_VALUE || !argument->type)
            return;
    }
    if (arrays == plan->parameter_count && arrays < launch->argument_count)
        plan->full_count = launch->argument_count;
}

/* The parameters are the buffers in the order of their first use. */
static int find_parameters(struct plan *plan)
{
    const struct cutune_sequence *sequence = plan->sequence;
    for (size_t i = 0; i < sequence->launch_count; i++)
        for (size_t a = 0; a < sequence->launches[i].argument_count; a++)
            if (add_argument(plan, &sequence->launches[i].arguments[a]))
                return -1;
    find_full_count(plan);
    for (size_t b = 0; b < sequence->buffer_count; b++)
        if (sequence->buffers[b].scratch) {
            plan->scratch_offsets[b] = plan->scratch_bytes;
            plan->scratch_bytes += round_up(sequence->buffers[b].bytes, SCRATCH_ALIGNMENT);
        }
    return 0;
}

/* Refuses launches after which a buffer's contents are in another's memory. */
static int check_swaps(const struct cutune_sequence *sequence)
{
    unsigned places[PLAN_BUFFERS_MAX];
    for (unsigned b = 0; b < sequence->buffer_count; b++)
        places[b] = b;
    for (size_t i = 0; i < sequence->launch_count; i++)
        for (unsigned times = 0; times < sequence->launches[i].repeat; times++)
            for (size_t s = 0; s < sequence->launches[i].swap_count; s++) {
                const unsigned *swap = sequence->launches[i].swaps[s];
                unsigned kept = places[swap[0]];
                places[swap[0]] = places[swap[1]];
                places[swap[1]] = kept;
            }
    for (unsigned b = 0; b < sequence->buffer_count; b++)
        if (places[b] != b && sequence->buffers[b].written && !sequence->buffers[b].scratch)
            return raise_error(CUTUNE_ERROR_USAGE, "an even number of rounds leaves each buffer in its place",
                               "the launches leave %s in the memory of %s", sequence->buffers[b].name,
                               sequence->buffers[places[b]].name);
    return 0;
}

/* ---- Loading ---- */

/* The bytes of an argument whose parts are put over a copy of them; otherwise 0. */
static size_t copied_bytes(const struct cutune_argument *argument)
{
    return argument->kind == CUTUNE_ARGUMENT_VALUE && argument->part_count ? round_up(argument->bytes, VALUE_ALIGNMENT)
                                                                           : 0;
}

static int allocate(struct plan *plan)
{
    const struct cutune_sequence *sequence = plan->sequence;
    size_t room = 0;
    for (size_t i = 0; i < sequence->launch_count; i++) {
        size_t bytes = 0;
        for (size_t a = 0; a < sequence->launches[i].argument_count; a++)
            bytes += copied_bytes(&sequence->launches[i].arguments[a]);
        room = bytes > room ? bytes : room;
    }
    plan->libraries = calloc(sequence->cubin_count + 1, sizeof *plan->libraries);
    plan->launches = calloc(sequence->launch_count + 1, sizeof *plan->launches);
    plan->parameters = calloc(sequence->buffer_count + 1, sizeof *plan->parameters);
    plan->scratch_offsets = calloc(sequence->buffer_count + 1, sizeof *plan->scratch_offsets);
    plan->memory = calloc(sequence->tensor_map_count + 1, sizeof *plan->maps);
    plan->map_addresses = calloc(sequence->tensor_map_count + 1, sizeof *plan->map_addresses);
    plan->values = aligned_alloc(VALUE_ALIGNMENT, round_up(room + 1, VALUE_ALIGNMENT));
    plan->maps = (CUtensorMap *)(((uintptr_t)plan->memory + MAP_ALIGNMENT - 1) & ~(uintptr_t)(MAP_ALIGNMENT - 1));
    if (plan->libraries && plan->launches && plan->parameters && plan->scratch_offsets && plan->memory &&
        plan->map_addresses && plan->values)
        return 0;
    PyErr_NoMemory();
    return -1;
}

static CUlaunchConfig configure(const struct plan *plan, size_t number, CUstream stream)
{
    const struct cutune_launch *launch = &plan->sequence->launches[number];
    const struct bound *bound = &plan->launches[number];
    return (CUlaunchConfig){.gridDimX = bound->grid[0],
                            .gridDimY = bound->grid[1],
                            .gridDimZ = bound->grid[2],
                            .blockDimX = launch->block[0],
                            .blockDimY = launch->block[1],
                            .blockDimZ = launch->block[2],
                            .sharedMemBytes = (unsigned)launch->shared_bytes,
                            .hStream = stream,
                            .attrs = (CUlaunchAttribute *)bound->attributes,
                            .numAttrs = bound->attribute_count};
}

/* As many blocks as run at once. */
static CUresult fit_grid(struct plan *plan, size_t number)
{
    const struct cutune_launch *launch = &plan->sequence->launches[number];
    struct bound *bound = &plan->launches[number];
    int multiprocessors = 0, fitting = 0;
    CUresult result;
    if (launch->cluster[0]) {
        memcpy(bound->grid, launch->cluster, sizeof bound->grid);
        CUlaunchConfig config = configure(plan, number, NULL);
        result = driver.cuOccupancyMaxActiveClusters(&fitting, bound->function, &config);
        bound->grid[0] *= (unsigned)fitting;
    } else {
        result = driver.cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, plan->device);
        if (result == CUDA_SUCCESS)
            result = driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
                &fitting, bound->function, (int)(launch->block[0] * launch->block[1] * launch->block[2]),
                launch->shared_bytes);
        bound->grid[0] = (unsigned)(fitting * multiprocessors);
        bound->grid[1] = bound->grid[2] = 1;
    }
    return result == CUDA_SUCCESS && fitting == 0 ? CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES : result;
}

static void set_attributes(const struct cutune_launch *launch, struct bound *bound)
{
    if (launch->cluster[0]) {
        CUlaunchAttribute *attribute = &bound->attributes[bound->attribute_count++];
        attribute->id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attribute->value.clusterDim.x = launch->cluster[0];
        attribute->value.clusterDim.y = launch->cluster[1];
        attribute->value.clusterDim.z = launch->cluster[2];
    }
    if (launch->cooperative) {
        CUlaunchAttribute *attribute = &bound->attributes[bound->attribute_count++];
        attribute->id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
        attribute->value.cooperative = 1;
    }
    if (launch->programmatic) {
        CUlaunchAttribute *attribute = &bound->attributes[bound->attribute_count++];
        attribute->id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
        attribute->value.programmaticStreamSerializationAllowed = 1;
    }
}

static int is_same(const struct cutune_launch *a, const struct cutune_launch *b)
{
    return a->cubin == b->cubin && strcmp(a->kernel, b->kernel) == 0;
}

/* The most dynamic shared memory of all launches of a launch's kernel, in bytes. */
static int most_shared(const struct cutune_sequence *sequence, const struct cutune_launch *launch)
{
    size_t most = 0;
    for (size_t i = 0; i < sequence->launch_count; i++)
        if (is_same(&sequence->launches[i], launch) && sequence->launches[i].shared_bytes > most)
            most = sequence->launches[i].shared_bytes;
    return (int)most;
}

/* Finds a kernel by its name and sets its attributes. */
static CUresult find_kernel(struct plan *plan, const struct cutune_launch *launch, struct bound *bound)
{
    const struct cutune_sequence *sequence = plan->sequence;
    const struct {
        CUfunction_attribute attribute;
        int value, used;
    } settings[] = {
        {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most_shared(sequence, launch), 1},
        {CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, sequence->carveout, sequence->carveout >= 0},
        {CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1,
         launch->cluster[0] * launch->cluster[1] * launch->cluster[2] > 8},
    };
    CUresult result = driver.cuLibraryGetKernel(&bound->kernel, plan->libraries[launch->cubin], launch->kernel);
    for (size_t i = 0; i < sizeof settings / sizeof *settings && result == CUDA_SUCCESS; i++)
        if (settings[i].used && (i || settings[i].value > 0))
            result = driver.cuKernelSetAttribute(settings[i].attribute, settings[i].value, bound->kernel, plan->device);
    return result == CUDA_SUCCESS ? driver.cuKernelGetFunction(&bound->function, bound->kernel) : result;
}

/* Loads all kernels; the primary context is current. */
static int load(struct plan *plan)
{
    const struct cutune_sequence *sequence = plan->sequence;
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < sequence->cubin_count && result == CUDA_SUCCESS; i++)
        result = driver.cuLibraryLoadData(&plan->libraries[i], sequence->cubins[i].bytes, NULL, NULL, 0, NULL, NULL, 0);
    if (driver_check(result, "loading the kernel"))
        return -1;
    for (size_t i = 0; i < sequence->launch_count; i++) {
        const struct cutune_launch *launch = &sequence->launches[i];
        struct bound *bound = &plan->launches[i];
        size_t first = 0;
        while (!is_same(&sequence->launches[first], launch))
            first++;
        if (first < i) {
            bound->kernel = plan->launches[first].kernel;
            bound->function = plan->launches[first].function;
        } else if (driver_check(find_kernel(plan, launch, bound), launch->kernel)) {
            return -1;
        }
        set_attributes(launch, bound);
        memcpy(bound->grid, launch->grid, sizeof bound->grid);
        if (launch->grid[0] == 0 && driver_check(fit_grid(plan, i), launch->kernel))
            return -1;
    }
    return 0;
}

/* Memory that a call takes and returns in the order of its stream, so that calls on several streams do not share it. */
static int open_pool(struct plan *plan)
{
    cuuint64_t kept = UINT64_MAX;
    const CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                       .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = (int)plan->device}};
    if (!plan->scratch_bytes)
        return 0;
    CUresult result = driver.cuMemPoolCreate(&plan->pool, &properties);
    if (result == CUDA_SUCCESS)
        result = driver.cuMemPoolSetAttribute(plan->pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &kept);
    return driver_check(result, "creating a pool of scratch memory");
}

int plan_open(struct plan *plan, const struct cutune_sequence *sequence, int device)
{
    CUcontext popped;
    plan->sequence = sequence;
    if (*sequence->left_to_caller)
        return raise_error(CUTUNE_ERROR_USAGE, "cutune.Database.best has the configuration for a launch of your own",
                           "a kernel of a space with %s cannot be called", sequence->left_to_caller);
    if (sequence->buffer_count > PLAN_BUFFERS_MAX)
        return raise_error(CUTUNE_ERROR_USAGE, "", "a kernel with more than %d buffers cannot be called",
                           PLAN_BUFFERS_MAX);
    if (check_swaps(sequence) || allocate(plan) || find_parameters(plan) || driver_open())
        return -1;
    if (driver_check(driver.cuDeviceGet(&plan->device, device), "finding the device") ||
        driver_check(driver.cuDevicePrimaryCtxRetain(&plan->context, plan->device), "opening the device") ||
        driver_check(driver.cuCtxPushCurrent(plan->context), "opening the device"))
        return -1;
    int code = load(plan) || open_pool(plan) ? -1 : 0;
    driver.cuCtxPopCurrent(&popped);
    return code;
}

void plan_free(struct plan *plan)
{
    if (plan->pool)
        driver.cuMemPoolDestroy(plan->pool);
    free(plan->libraries);
    free(plan->launches);
    free(plan->parameters);
    free(plan->scratch_offsets);
    free(plan->memory);
    free(plan->map_addresses);
    free(plan->values);
    memset(plan, 0, sizeof *plan);
}

/* ---- Launching ---- */

/* Encodes the tensor maps of buffers that have moved since the last call. */
static CUresult encode(struct plan *plan, char *const *buffers)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < plan->sequence->tensor_map_count && result == CUDA_SUCCESS; i++) {
        const struct cutune_tensor_map *map = &plan->sequence->tensor_maps[i];
        char *address = buffers[map->buffer] + map->offset;
        cuuint64_t sizes[5], strides[4];
        if (map->rank == 0 || plan->map_addresses[i] == address)
            continue;
        for (size_t d = 0; d < 5; d++)
            sizes[d] = map->sizes[d];
        for (size_t d = 0; d < 4; d++)
            strides[d] = map->strides[d];
        result = driver.cuTensorMapEncodeTiled(
            &plan->maps[i], (CUtensorMapDataType)map->type, map->rank, address, sizes, strides, map->box,
            map->element_strides, (CUtensorMapInterleave)map->interleave, (CUtensorMapSwizzle)map->swizzle,
            (CUtensorMapL2promotion)map->l2_promotion, (CUtensorMapFloatOOBfill)map->out_of_bounds);
        plan->map_addresses[i] = result == CUDA_SUCCESS ? address : NULL;
    }
    return result;
}

/* The place of an argument's value. An address is written to *address. */
static const void *value_of(const struct plan *plan, const struct cutune_argument *argument, char *const *buffers,
                            char **address, size_t *bytes)
{
    if (argument->kind == CUTUNE_ARGUMENT_BUFFER) {
        *bytes = sizeof *address;
        *address = buffers[argument->index] + argument->offset;
        return address;
    }
    if (argument->kind == CUTUNE_ARGUMENT_TENSOR_MAP) {
        *bytes = sizeof plan->maps[0];
        return &plan->maps[argument->index];
    }
    *bytes = argument->bytes;
    return argument->value;
}

/* A copy of a struct with the addresses and maps in it. */
static void join(const struct plan *plan, const struct cutune_argument *argument, char *const *buffers, char *room)
{
    memcpy(room, argument->value, argument->bytes);
    for (size_t p = 0; p < argument->part_count; p++) {
        char *address;
        size_t bytes;
        const void *value = value_of(plan, &argument->parts[p], buffers, &address, &bytes);
        memcpy(room + argument->parts[p].place, value, bytes);
    }
}

static CUresult launch_one(const struct plan *plan, size_t number, int primary, char *const *buffers,
                           const void *const *numbers, CUstream stream)
{
    const struct cutune_launch *launch = &plan->sequence->launches[number];
    const struct bound *bound = &plan->launches[number];
    CUfunction function = primary ? bound->function : (CUfunction)bound->kernel;
    void *values[CUTUNE_ARGUMENTS_MAX];
    char *addresses[CUTUNE_ARGUMENTS_MAX], *room = plan->values;
    size_t bytes;
    for (size_t i = 0; i < launch->argument_count; i++) {
        const struct cutune_argument *argument = &launch->arguments[i];
        size_t copied = copied_bytes(argument);
        values[i] = copied ? room : (void *)value_of(plan, argument, buffers, &addresses[i], &bytes);
        if (copied)
            join(plan, argument, buffers, room);
        if (numbers && numbers[i])
            values[i] = (void *)numbers[i];
        room += copied;
    }
    if (bound->attribute_count) {
        CUlaunchConfig config = configure(plan, number, stream);
        return driver.cuLaunchKernelEx(&config, function, values, NULL);
    }
    return driver.cuLaunchKernel(function, bound->grid[0], bound->grid[1], bound->grid[2], launch->block[0],
                                 launch->block[1], launch->block[2], (unsigned)launch->shared_bytes, stream, values,
                                 NULL);
}

static CUresult launch_all(struct plan *plan, int primary, char **buffers, const void *const *numbers, CUstream stream,
                           const char **failed)
{
    const struct cutune_sequence *sequence = plan->sequence;
    CUresult result = encode(plan, buffers);
    *failed = "encoding a tensor map";
    for (size_t i = 0; i < sequence->launch_count && result == CUDA_SUCCESS; i++) {
        const struct cutune_launch *launch = &sequence->launches[i];
        *failed = launch->kernel;
        for (unsigned times = 0; times < launch->repeat && result == CUDA_SUCCESS; times++) {
            result = launch_one(plan, i, primary, buffers, numbers, stream);
            for (size_t s = 0; s < launch->swap_count; s++) {
                char *kept = buffers[launch->swaps[s][0]];
                buffers[launch->swaps[s][0]] = buffers[launch->swaps[s][1]];
                buffers[launch->swaps[s][1]] = kept;
            }
        }
    }
    return result;
}

/* With the scratch memory of this call. */
static CUresult launch_with_scratch(struct plan *plan, int primary, char **buffers, const void *const *numbers,
                                    CUstream stream, const char **failed)
{
    CUdeviceptr scratch;
    CUresult result = driver.cuMemAllocFromPoolAsync(&scratch, plan->scratch_bytes, plan->pool, stream);
    *failed = "allocating scratch memory";
    if (result != CUDA_SUCCESS)
        return result;
    for (size_t b = 0; b < plan->sequence->buffer_count; b++)
        if (plan->sequence->buffers[b].scratch)
            buffers[b] = (char *)(uintptr_t)scratch + plan->scratch_offsets[b];
    result = launch_all(plan, primary, buffers, numbers, stream, failed);
    CUresult freed = driver.cuMemFreeAsync(scratch, stream);
    return result == CUDA_SUCCESS ? freed : result;
}

int plan_launch(struct plan *plan, char **buffers, const void *const *numbers, CUstream stream)
{
    struct driver_scope scope;
    const char *failed = "finding the current context";
    CUresult result = driver_enter(plan->context, plan->device, &scope);
    if (result == CUDA_SUCCESS)
        result = plan->scratch_bytes ? launch_with_scratch(plan, scope.primary, buffers, numbers, stream, &failed)
                                     : launch_all(plan, scope.primary, buffers, numbers, stream, &failed);
    driver_leave(&scope);
    return driver_check(result, failed);
}
