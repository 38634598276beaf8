/* A CUDA driver without a GPU, for tests of the extension module: two devices with the limits of an H200. It records
 * launches as lines of text, and fails on request. Tests call its functions fake_* by ctypes. */
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cuda.h>

enum { DEVICES = 2, KERNELS_MAX = 64, ARGUMENTS_MAX = 64, LOG_BYTES = 1 << 20 };

static const char *device_name = "NVIDIA H200";
static char text[LOG_BYTES], failing[64], names[KERNELS_MAX][256];
static FILE *log_stream;
static size_t name_count, argument_count, argument_bytes[ARGUMENTS_MAX];
static int failure, quiet, contexts[DEVICES + 1]; /* their addresses are the contexts; the last is no primary one */
static int initialised, forked;
static _Thread_local CUcontext current;

void fake_reset(void);
void fake_clear(void);
const char *fake_log(void);
void fake_fail(const char *function, int result);
void fake_arguments(size_t count, const size_t *bytes);
void fake_make_current(int context);
void fake_quiet(int on);
void fake_name(const char *name);

void fake_reset(void)
{
    fake_clear();
    failing[0] = '\0';
    argument_count = 0;
    quiet = 0;
    device_name = "NVIDIA H200";
    current = NULL;
}

/* Empties the log. */
void fake_clear(void)
{
    if (log_stream)
        fclose(log_stream);
    log_stream = NULL;
    text[0] = '\0';
}

const char *fake_log(void)
{
    return text;
}

/* Lets all calls of a function fail with that result. */
void fake_fail(const char *function, int result)
{
    snprintf(failing, sizeof failing, "%s", function);
    failure = result;
}

/* The sizes of the arguments that later launches have; the log shows their bytes. */
void fake_arguments(size_t count, const size_t *bytes)
{
    argument_count = count;
    memcpy(argument_bytes, bytes, count * sizeof *bytes);
}

/* -1: none. */
void fake_make_current(int context)
{
    current = context < 0 ? NULL : (CUcontext)&contexts[context];
}

/* 1: records nothing, so that tests can time calls. */
void fake_quiet(int on)
{
    quiet = on;
}

/* The devices' name; borrowed. */
void fake_name(const char *name)
{
    device_name = name;
}

static void note(const char *format, ...)
{
    va_list arguments;
    if (quiet)
        return;
    va_start(arguments, format);
    if (!log_stream)
        log_stream = fmemopen(text, sizeof text, "w");
    vfprintf(log_stream, format, arguments);
    fflush(log_stream);
    va_end(arguments);
}

static void note_fork(void)
{
    forked = 1;
}

/* As the real driver, none works in a child of a process that has initialised it. */
static CUresult result_of(const char *function)
{
    if (forked)
        return CUDA_ERROR_NOT_INITIALIZED;
    return strcmp(function, failing) == 0 ? (CUresult)failure : CUDA_SUCCESS;
}

#define RETURN return result_of(__func__)

CUresult cuInit(unsigned flags)
{
    (void)flags;
    if (!initialised)
        initialised = pthread_atfork(NULL, NULL, note_fork) == 0;
    RETURN;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    *name = error == CUDA_ERROR_INVALID_VALUE     ? "CUDA_ERROR_INVALID_VALUE"
            : error == CUDA_ERROR_NOT_INITIALIZED ? "CUDA_ERROR_NOT_INITIALIZED"
                                                  : "CUDA_ERROR_UNKNOWN";
    return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **string)
{
    *string = error == CUDA_ERROR_INVALID_VALUE ? "invalid argument" : "unknown error";
    return CUDA_SUCCESS;
}

/* ---- Devices and contexts ---- */

CUresult cuDeviceGetCount(int *count)
{
    *count = DEVICES;
    RETURN;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    *device = ordinal;
    return ordinal < 0 || ordinal >= DEVICES ? CUDA_ERROR_INVALID_VALUE : result_of(__func__);
}

CUresult cuDeviceGetName(char *name, int room, CUdevice device)
{
    (void)device;
    snprintf(name, (size_t)room, "%s", device_name);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
    memset(uuid, 0, sizeof *uuid);
    uuid->bytes[0] = (char)(device + 1); /* as the program's fake devices */
    return CUDA_SUCCESS;
}

/* Code that was compiled with the header of CUDA 12 has the former name. */
#undef cuDeviceGetUuid
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device);
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    return cuDeviceGetUuid_v2(uuid, device);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    (void)device;
    *bytes = (size_t)128 << 30;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    static const struct {
        CUdevice_attribute attribute;
        int value;
    } known[] = {
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9}, {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 132},   {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024}, {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 62914560},
    };
    (void)device;
    *value = 1 << 16;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].attribute == attribute)
            *value = known[i].value;
    RETURN;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    *context = (CUcontext)&contexts[device];
    RETURN;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = current;
    RETURN;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    int number = (int)((int *)current - contexts);
    *device = number < DEVICES ? number : 0;
    return current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

static _Thread_local CUcontext pushed;

CUresult cuCtxPushCurrent(CUcontext context)
{
    pushed = current;
    current = context;
    RETURN;
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
    *context = current;
    current = pushed;
    RETURN;
}

/* ---- Kernels ---- */

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *options, void **values, unsigned count,
                           CUlibraryOption *library_options, void **library_values, unsigned library_count)
{
    (void)options, (void)values, (void)count, (void)library_options, (void)library_values, (void)library_count;
    *library = (CUlibrary)contexts;
    return memcmp(code, "\177ELF", 4) ? CUDA_ERROR_INVALID_IMAGE : result_of(__func__);
}

CUresult cuLibraryUnload(CUlibrary library)
{
    (void)library;
    RETURN;
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    (void)library;
    snprintf(names[name_count % KERNELS_MAX], sizeof *names, "%s", name);
    *kernel = (CUkernel)names[name_count++ % KERNELS_MAX];
    RETURN;
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
    *function = (CUfunction)kernel;
    return current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device)
{
    note("attribute %s %d %d device %d\n", (const char *)kernel, (int)attribute, value, device);
    RETURN;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *count, CUfunction function, int block, size_t shared_bytes)
{
    (void)function, (void)shared_bytes;
    *count = 2048 / block;
    RETURN;
}

CUresult cuOccupancyMaxActiveClusters(int *count, CUfunction function, const CUlaunchConfig *config)
{
    (void)function, (void)config;
    *count = 16;
    RETURN;
}

static void note_arguments(CUstream stream, void **arguments)
{
    note(" stream %llu device %d", (unsigned long long)(uintptr_t)stream, (int)((int *)current - contexts));
    for (size_t i = 0; i < argument_count; i++) {
        unsigned long long value = 0;
        note(" ");
        if (argument_bytes[i] <= sizeof value) {
            memcpy(&value, arguments[i], argument_bytes[i]);
            note("%llx", value);
        }
        for (size_t b = 0; b < argument_bytes[i] && argument_bytes[i] > sizeof value; b++)
            note("%02x", ((unsigned char *)arguments[i])[b]);
    }
    note("\n");
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void **arguments,
                        void **extra)
{
    (void)extra;
    note("launch %s grid %u %u %u block %u %u %u shared %u", (const char *)function, grid_x, grid_y, grid_z, block_x,
         block_y, block_z, shared_bytes);
    note_arguments(stream, arguments);
    RETURN;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments, void **extra)
{
    (void)extra;
    note("launch %s grid %u %u %u block %u %u %u shared %u", (const char *)function, config->gridDimX, config->gridDimY,
         config->gridDimZ, config->blockDimX, config->blockDimY, config->blockDimZ, config->sharedMemBytes);
    for (unsigned i = 0; i < config->numAttrs; i++)
        note(" attribute %d", (int)config->attrs[i].id);
    note_arguments(config->hStream, arguments);
    RETURN;
}

/* The first bytes of the map are the address. */
CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *element_strides, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill)
{
    (void)strides, (void)box, (void)element_strides, (void)interleave, (void)swizzle, (void)promotion, (void)fill;
    note("map type %d rank %u address %llx size %llu\n", (int)type, rank, (unsigned long long)(uintptr_t)address,
         (unsigned long long)sizes[0]);
    memcpy(map, &address, sizeof address);
    RETURN;
}

/* ---- Memory ---- */

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties)
{
    *pool = (CUmemoryPool)contexts;
    note("pool device %d\n", properties->location.id);
    RETURN;
}

CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
    (void)pool;
    RETURN;
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    (void)pool, (void)attribute, (void)value;
    RETURN;
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream)
{
    (void)pool;
    *address = 0x5000;
    note("allocate %zu stream %llu\n", bytes, (unsigned long long)(uintptr_t)stream);
    RETURN;
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
    note("free %llx stream %llu\n", (unsigned long long)address, (unsigned long long)(uintptr_t)stream);
    RETURN;
}
