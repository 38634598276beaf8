/* The fake device, and the libraries loaded on it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cuda.h>

#include "fake_private.h"

/* ---- The device ---- */

/* True if a word of CUDA_VISIBLE_DEVICES names the device, by number or by the beginning of its UUID. */
static bool is_named(int device, const char *word)
{
    char uuid[48];
    snprintf(uuid, sizeof uuid, "GPU-%02x000000-0000-0000-0000-000000000000", (unsigned)device + 1);
    return strncmp(word, "GPU-", 4) == 0 ? strncmp(word, uuid, strlen(word)) == 0 : atoi(word) == device;
}

/* Returns the device that a process sees under this number; -1: none. Like CUDA, ignores all words after an invalid
 * one. */
static int device_of(int number)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    char words[FAKE_SCRIPT_BYTES], *rest = words, *word;
    if (!visible)
        return number < fake.devices ? number : -1;
    snprintf(words, sizeof words, "%s", visible);
    for (int at = 0; (word = strtok_r(rest, ",", &rest)); at++) {
        int device = 0;
        while (device < fake.devices && !is_named(device, word))
            device++;
        if (device == fake.devices)
            return -1;
        if (at == number)
            return device;
    }
    return -1;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    struct timespec start = {.tv_sec = fake.start_ms / 1000, .tv_nsec = fake.start_ms % 1000 * 1000000};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &start, NULL);
    for (*count = 0; device_of(*count) >= 0; ++*count)
        ;
    return fake.no_devices ? fake.no_devices : *count || !fake.devices ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = fake.driver;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    if (device_of(device) < 0)
        return cudaErrorInvalidDevice;
    fake.virtual_time = true;
    fake.device = device_of(device);
    fake_count_life();
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *bus, int room, int device)
{
    snprintf(bus, (size_t)room, "00000000:%02x:00.0", device_of(device) + 1);
    return cudaSuccess;
}

/* A name unlike any real device's. The machine code is of compute capability 9.0. */
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    *properties = (struct cudaDeviceProp){.major = 9, .minor = 0, .totalGlobalMem = fake.device_room};
    snprintf(properties->name, sizeof properties->name,
             fake.unlike && device_of(device) + 1 >= fake.unlike ? "Fake GPU Ti" : "Fake GPU");
    properties->uuid.bytes[0] = (char)(device_of(device) + 1);
    return cudaSuccess;
}

/* The attributes in base/limits.def: a small device with all capabilities. */
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    static const struct {
        enum cudaDeviceAttr attribute;
        int value;
    } rows[] = {
        {cudaDevAttrMultiProcessorCount, 4},
        {cudaDevAttrWarpSize, 32},
        {cudaDevAttrMaxThreadsPerBlock, 1024},
        {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
        {cudaDevAttrMaxBlocksPerMultiprocessor, 32},
        {cudaDevAttrMaxBlockDimX, 1024},
        {cudaDevAttrMaxBlockDimY, 1024},
        {cudaDevAttrMaxBlockDimZ, 64},
        {cudaDevAttrMaxGridDimX, 2147483647},
        {cudaDevAttrMaxGridDimY, 65535},
        {cudaDevAttrMaxGridDimZ, 65535},
        {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, 232448},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 233472},
        {cudaDevAttrReservedSharedMemoryPerBlock, 1024},
        {cudaDevAttrMaxRegistersPerBlock, 65536},
        {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
        {cudaDevAttrTotalConstantMemory, 65536},
        {cudaDevAttrL2CacheSize, FAKE_L2_BYTES},
        {cudaDevAttrMaxPersistingL2CacheSize, FAKE_L2_BYTES / 2},
        {cudaDevAttrMaxAccessPolicyWindowSize, FAKE_L2_BYTES},
        {cudaDevAttrMemoryClockRate, 1000000},
        {cudaDevAttrGlobalMemoryBusWidth, 256},
        {cudaDevAttrClockRate, 1000000},
        {cudaDevAttrAsyncEngineCount, 2},
        {cudaDevAttrCanMapHostMemory, 1},
        {cudaDevAttrCooperativeLaunch, 1},
        {cudaDevAttrClusterLaunch, 1},
        {cudaDevAttrHostRegisterSupported, 1},
        {cudaDevAttrManagedMemory, 1},
        {cudaDevAttrConcurrentManagedAccess, 1},
        {cudaDevAttrMemoryPoolsSupported, 1},
        {cudaDevAttrMaxTexture1DLinearWidth, 268435456},
        {cudaDevAttrMaxTexture2DLinearWidth, 131072},
        {cudaDevAttrMaxTexture2DLinearHeight, 65000},
        {cudaDevAttrMaxTexture2DLinearPitch, 2097120},
        {cudaDevAttrTexturePitchAlignment, 32},
    };
    (void)device;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].attribute == attribute) {
            *value = rows[i].value;
            return cudaSuccess;
        }
    return cudaErrorInvalidValue;
}

/* ---- Errors ---- */

static const struct {
    cudaError_t error;
    const char *name, *words;
} errors[] = {
#define ERROR(error, words)                                                                                            \
    {                                                                                                                  \
        error, #error, words                                                                                           \
    }
    ERROR(cudaSuccess, "no error"),
    ERROR(cudaErrorMemoryAllocation, "out of memory"),
    ERROR(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
    ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    ERROR(cudaErrorNotReady, "device not ready"),
    ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    ERROR(cudaErrorInvalidValue, "invalid argument"),
    ERROR(cudaErrorNotSupported, "operation not supported"),
#undef ERROR
};

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return errors[i].words;
    return "unrecognized error code";
}

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return errors[i].name;
    return "unrecognized error code";
}

/* ---- Libraries, loaded from cubins ---- */

enum { KERNELS_MAX = 16 };
struct library {
    char script[FAKE_SCRIPT_BYTES];
    char *cubin; /* NULL: only a script, which has every kernel */
    size_t cubin_bytes;
    size_t count;
    struct {
        struct fake_kernel kernel;
        struct fake_loaded loaded;
    } kernels[KERNELS_MAX];
};

cudaError_t cudaLibraryLoadData(cudaLibrary_t *result, const void *code, enum cudaJitOption *options, void **values,
                                unsigned count, enum cudaLibraryOption *more, void **more_values, unsigned more_count)
{
    (void)options, (void)values, (void)count, (void)more, (void)more_values, (void)more_count;
    struct library *library = calloc(1, sizeof *library);
    if (!library)
        abort();
    fake_script_of(code, sizeof library->script, library->script);
    struct fake_loaded loaded = {.script = fake_parse(library->script), .count = fake_count_of(library->script, "")};
    cudaError_t error = fake_loading(&loaded);
    *result = NULL;
    if (error) {
        free(library);
        return fake_fail(error);
    }
    fake_note('L');
    library->cubin_bytes = fake_cubin_bytes(code);
    if (library->cubin_bytes && !(library->cubin = malloc(library->cubin_bytes)))
        abort();
    if (library->cubin)
        memcpy(library->cubin, code, library->cubin_bytes);
    *result = (cudaLibrary_t)library;
    return cudaSuccess;
}

/* True if the machine code has the kernel, by its section's name. */
static bool has_kernel(const struct library *library, const char *name)
{
    char section[256];
    int length = snprintf(section, sizeof section, ".text.%s", name);
    return !library->cubin || memmem(library->cubin, library->cubin_bytes, section, (size_t)length + 1);
}

static void do_nothing(const uint64_t *arguments)
{
    (void)arguments;
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t handle, const char *name)
{
    struct library *library = (struct library *)handle;
    const struct fake_row *row = fake_rows;
    while (row->name && strcmp(row->name, name) != 0)
        row++;
    const struct fake_kernel unknown = {do_nothing, "", NULL};
    if ((!row->name && !fake.any_kernel) || library->count == KERNELS_MAX || !has_kernel(library, name))
        return fake_fail(cudaErrorSymbolNotFound);
    size_t at = library->count++;
    struct fake_loaded *loaded = &library->kernels[at].loaded;
    loaded->script = fake_parse(library->script);
    loaded->count = fake_count_of(library->script, name);
    loaded->helper = strncmp(name, "cutune_", 7) == 0;
    if (loaded->helper)
        loaded->script.letter = strcmp(name, "cutune_clock") == 0 ? 'c' : strcmp(name, "cutune_store") == 0 ? 't' : 'h';
    library->kernels[at].kernel = row->name ? row->kernel : unknown;
    library->kernels[at].kernel.loaded = loaded;
    *kernel = (cudaKernel_t)&library->kernels[at].kernel;
    return cudaSuccess;
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    fake_finish();
    fake_note('U');
    for (size_t i = 0; i < ((struct library *)library)->count; i++)
        fake_forget_kept(&((struct library *)library)->kernels[i].loaded);
    free(((struct library *)library)->cubin);
    free(library);
    return cudaSuccess;
}

cudaError_t cudaLibraryGetGlobal(void **memory, size_t *bytes, cudaLibrary_t library, const char *name)
{
    const bool has = !fake.symbol_in || strcmp(((struct library *)library)->script, fake.symbol_in) == 0;
    if (!has || strcmp(name, fake.symbol_name ? fake.symbol_name : "COEFF") != 0)
        return cudaErrorSymbolNotFound;
    *memory = fake.symbol;
    *bytes = fake.symbol_bytes;
    return cudaSuccess;
}

cudaError_t cudaLibraryGetManaged(void **memory, size_t *bytes, cudaLibrary_t library, const char *name)
{
    (void)library;
    if (strcmp(name, "MANAGED") != 0)
        return cudaErrorSymbolNotFound;
    *memory = fake.symbol;
    *bytes = fake.symbol_bytes;
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
    struct fake_loaded *loaded = ((const struct fake_kernel *)function)->loaded;
    if (!loaded)
        return cudaErrorInvalidValue;
    loaded->has_code = true;
    *attributes = (struct cudaFuncAttributes){.numRegs = (int)loaded->script.registers,
                                              .localSizeBytes = (size_t)loaded->script.local,
                                              .sharedSizeBytes = (size_t)loaded->script.shared};
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    (void)function;
    fake.attributes[attribute] = value;
    return cudaSuccess;
}

/* ---- Clusters, textures, the L2, pools ---- */

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *function, const cudaLaunchConfig_t *config)
{
    (void)function;
    bool asked = false;
    for (unsigned i = 0; i < config->numAttrs; i++)
        asked |= config->attrs[i].id == cudaLaunchAttributeClusterDimension;
    if (!asked)
        fake_misuse("no cluster is asked for");
    *clusters = fake.clusters;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads, size_t shared)
{
    (void)function, (void)threads, (void)shared;
    *blocks = fake.blocks_sm;
    return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *description, const struct cudaResourceViewDesc *view)
{
    (void)view;
    if (fake.texture_error)
        return fake_fail(fake.texture_error);
    fake.textures++;
    fake.texture = *resource;
    fake.texture_description = *description;
    *texture = 77;
    return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    (void)texture;
    fake.textures--;
    return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource)
{
    if (fake.texture_error)
        return fake_fail(fake.texture_error);
    if (resource->resType != cudaResourceTypeArray)
        fake_misuse("a surface without an array");
    else if (!(((const struct fake_array *)resource->res.array.array)->flags & cudaArraySurfaceLoadStore))
        fake_misuse("a surface over an array that kernels cannot write");
    fake.surfaces++;
    *surface = (cudaSurfaceObject_t)(uintptr_t)resource->res.array.array;
    return cudaSuccess;
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface)
{
    (void)surface;
    fake.surfaces--;
    return cudaSuccess;
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
                              unsigned flags)
{
    size_t element_bytes = (size_t)(format->x + format->y + format->z + format->w) / 8;
    size_t height = extent.height ? extent.height : 1, depth = extent.depth ? extent.depth : 1;
    size_t bytes = element_bytes * extent.width * height * depth;
    struct fake_array *made = calloc(1, sizeof *made + bytes);
    if (!made)
        abort();
    *made = (struct fake_array){*format, extent, flags, bytes};
    *array = (cudaArray_t)made;
    fake.arrays++;
    return cudaSuccess;
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    if (!array)
        fake_misuse("frees no array");
    free(array);
    fake.arrays--;
    return cudaSuccess;
}

/* Between a whole array and device memory. Waits for the work before it. */
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream)
{
    (void)stream;
    const bool to_array = copy->dstArray != NULL;
    struct fake_array *array = (struct fake_array *)(to_array ? copy->dstArray : copy->srcArray);
    const struct cudaPitchedPtr *linear = to_array ? &copy->srcPtr : &copy->dstPtr;
    const struct cudaExtent extent = array->extent;
    fake_finish();
    if (fake.no_copy)
        return fake_fail(fake.no_copy);
    if (copy->extent.width != extent.width || copy->extent.height != (extent.height ? extent.height : 1) ||
        copy->extent.depth != (extent.depth ? extent.depth : 1))
        fake_misuse("copies a part of an array");
    else if (linear->pitch * copy->extent.height * copy->extent.depth != array->bytes ||
             linear->ysize != copy->extent.height)
        fake_misuse("copies with gaps");
    else if (!fake_is_device(linear->ptr, array->bytes) || copy->kind != cudaMemcpyDeviceToDevice)
        fake_misuse("copies between an array and other memory");
    else
        memcpy(to_array ? array->data : linear->ptr, to_array ? linear->ptr : array->data, array->bytes);
    return cudaSuccess;
}

static CUresult encode_tiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                             const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                             const cuuint32_t *element_strides, CUtensorMapInterleave interleave,
                             CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2_promotion,
                             CUtensorMapFloatOOBfill out_of_bounds)
{
    struct fake_tensor_map *made = &fake.tensor_map;
    if ((uintptr_t)map % 64)
        fake_misuse("a tensor map is not aligned");
    if (fake.tensor_map_error)
        return (CUresult)fake.tensor_map_error;
    *made = (struct fake_tensor_map){made->number + 1,
                                     rank,
                                     (int)type,
                                     (int)interleave,
                                     (int)swizzle,
                                     (int)l2_promotion,
                                     (int)out_of_bounds,
                                     address,
                                     {0},
                                     {0},
                                     {0},
                                     {0}};
    memcpy(made->sizes, sizes, rank * sizeof *sizes);
    memcpy(made->strides, strides, (rank - 1) * sizeof *strides);
    memcpy(made->box, box, rank * sizeof *box);
    memcpy(made->element_strides, element_strides, rank * sizeof *element_strides);
    memset(map, (int)made->number, sizeof *map);
    return CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                             unsigned long long flags, enum cudaDriverEntryPointQueryResult *found)
{
    __typeof__(&encode_tiled) encode = encode_tiled;
    __typeof__(&fake_context_current) current = fake_context_current;
    bool encodes = !fake.no_tensor_maps && strcmp(symbol, "cuTensorMapEncodeTiled") == 0 && version >= 12000;
    bool context = strcmp(symbol, "cuCtxGetCurrent") == 0, here = encodes || context;
    (void)flags;
    memset(function, 0, sizeof *function);
    if (encodes)
        memcpy(function, &encode, sizeof encode);
    if (context)
        memcpy(function, &current, sizeof current);
    if (found)
        *found = here ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue *value)
{
    (void)stream;
    if (attribute != cudaLaunchAttributeAccessPolicyWindow)
        fake_misuse("another attribute");
    if (value->accessPolicyWindow.num_bytes)
        fake.windows++;
    fake.window_bytes = value->accessPolicyWindow.num_bytes;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    if (limit != cudaLimitPersistingL2CacheSize)
        fake_misuse("another limit");
    fake.set_aside = value;
    return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    fake.resets++;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    (void)device;
    *pool = NULL;
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    (void)pool, (void)attribute, (void)value;
    return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes)
{
    (void)pool, (void)bytes;
    return cudaSuccess;
}
