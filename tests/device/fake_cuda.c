#include "fake_cuda.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/gpu.h"

struct fake_cuda fake;

static void misuse(const char *what)
{
    if (!fake.misuse)
        fake.misuse = what;
}

/* ---- Memory ---- */

enum place { PLACE_NONE, PLACE_DEVICE, PLACE_PINNED, PLACE_MAPPED, PLACE_MANAGED };
static struct block {
    unsigned char *memory;
    size_t bytes;
    enum place place;
    bool registered, pool;
} blocks[4096];
static size_t block_count;

static struct block *find(const void *memory, size_t bytes)
{
    const unsigned char *at = memory;
    for (size_t i = 0; i < block_count; i++)
        if (blocks[i].memory && at >= blocks[i].memory && at + bytes <= blocks[i].memory + blocks[i].bytes)
            return &blocks[i];
    return NULL;
}

static cudaError_t allocate(void **memory, size_t bytes, enum place place)
{
    if (place != PLACE_DEVICE && fake.host_used + bytes > fake.host_room)
        return cudaErrorMemoryAllocation;
    if (posix_memalign(memory, 4096, bytes) || block_count == sizeof blocks / sizeof *blocks)
        abort();
    memset(*memory, 0x7e, bytes);
    blocks[block_count++] = (struct block){*memory, bytes, place, false, false};
    fake.host_used += place == PLACE_DEVICE ? 0 : bytes;
    fake.live++;
    return cudaSuccess;
}

static cudaError_t release(void *memory, bool device)
{
    struct block *block = memory ? find(memory, 1) : NULL;
    if (!memory)
        return cudaSuccess;
    if (!block || block->memory != memory || device != (block->place == PLACE_DEVICE || block->place == PLACE_MANAGED))
        misuse("freed by the wrong function");
    else {
        fake.host_used -= block->place == PLACE_DEVICE ? 0 : block->bytes;
        memset(block->memory, 0xee, block->bytes);
        free(block->memory);
        block->memory = NULL;
        fake.live--;
    }
    return cudaSuccess;
}

void fake_check_kernel_memory(const void *memory, size_t bytes)
{
    const struct block *block = find(memory, bytes);
    if (!block || block->place == PLACE_PINNED || block->registered)
        misuse("a kernel uses memory that is not the device's");
}

static bool is_device(const void *memory, size_t bytes)
{
    const struct block *block = find(memory, bytes);
    return block && !block->registered && block->place != PLACE_PINNED && block->place != PLACE_MAPPED;
}

/* ---- Work ---- */

enum operation { OP_COPY, OP_SET, OP_KERNEL, OP_RECORD, OP_WAIT, OP_FREE };
struct work {
    enum operation operation;
    void *to;
    const void *from;
    size_t bytes;
    int value;
    const struct fake_kernel *kernel;
    uint64_t arguments[16];
    struct CUevent_st *event;
    unsigned long generation; /* of the event */
};
struct CUevent_st {
    unsigned long recorded, done;
};
struct CUstream_st {
    struct work *work;
    size_t count, at, room;
};
static struct CUstream_st *streams[256];
static struct CUevent_st *events[4096];
static size_t stream_count, event_count;

static struct work *queue(cudaStream_t stream, enum operation operation)
{
    if (stream->count == stream->room) {
        stream->room = stream->room ? stream->room * 2 : 64;
        stream->work = realloc(stream->work, stream->room * sizeof *stream->work);
        if (!stream->work)
            abort();
    }
    struct work *work = &stream->work[stream->count++];
    memset(work, 0, sizeof *work);
    work->operation = operation;
    return work;
}

static bool ready(const struct CUstream_st *stream)
{
    const struct work *work = &stream->work[stream->at];
    return stream->at < stream->count && (work->operation != OP_WAIT || work->event->done >= work->generation);
}

static void run(struct CUstream_st *stream)
{
    const struct work work = stream->work[stream->at++];
    switch (work.operation) {
    case OP_COPY:
        memmove(work.to, work.from, work.bytes);
        break;
    case OP_SET:
        memset(work.to, work.value, work.bytes);
        break;
    case OP_KERNEL:
        work.kernel->run(work.arguments);
        break;
    case OP_RECORD:
        work.event->done = work.generation;
        break;
    case OP_FREE:
        release(work.to, true);
        break;
    case OP_WAIT:
        break;
    }
    if (stream->at == stream->count)
        stream->at = stream->count = 0;
}

/* One thing of those that may be next; false when there is none. */
static bool step(void)
{
    struct CUstream_st *able[256];
    size_t count = 0;
    for (size_t i = 0; i < stream_count; i++)
        if (ready(streams[i]))
            able[count++] = streams[i];
    if (!count)
        return false;
    fake.seed = fake.seed * 1664525u + 1013904223u;
    run(able[(fake.seed >> 16) % count]);
    return true;
}

void fake_finish(void)
{
    while (step())
        ;
}

void fake_reset(void)
{
    fake_finish();
    for (size_t i = 0; i < block_count; i++)
        if (blocks[i].memory && !blocks[i].registered)
            free(blocks[i].memory);
    for (size_t i = 0; i < stream_count; i++) {
        free(streams[i]->work);
        free(streams[i]);
    }
    for (size_t i = 0; i < event_count; i++)
        free(events[i]);
    block_count = stream_count = event_count = 0;
    fake = (struct fake_cuda){.seed = 1, .host_room = SIZE_MAX, .clusters = 1};
}

/* ---- The runtime's functions ---- */

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    while (stream->at < stream->count)
        if (!step()) {
            misuse("waits for ever");
            break;
        }
    return fake.broken;
}

cudaError_t cudaDeviceSynchronize(void)
{
    fake_finish();
    return fake.broken;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    while (event->done < event->recorded)
        if (!step()) {
            misuse("waits for ever");
            break;
        }
    return fake.broken;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    (void)flags;
    *stream = calloc(1, sizeof **stream);
    if (!*stream || stream_count == sizeof streams / sizeof *streams)
        abort();
    streams[stream_count++] = *stream;
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    (void)flags;
    *event = calloc(1, sizeof **event);
    if (!*event || event_count == sizeof events / sizeof *events)
        abort();
    events[event_count++] = *event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    struct work *work = queue(stream, OP_RECORD);
    work->event = event;
    work->generation = ++event->recorded;
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)flags;
    struct work *work = queue(stream, OP_WAIT);
    work->event = event;
    work->generation = event->recorded;
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    bool to_device = is_device(to, bytes), from_device = is_device(from, bytes);
    if ((kind == cudaMemcpyHostToDevice && (!to_device || from_device)) ||
        (kind == cudaMemcpyDeviceToHost && (to_device || !from_device)) ||
        (kind == cudaMemcpyDeviceToDevice && !(to_device && from_device)))
        misuse("a copy between other memories than it says");
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToHost) {
        fake.copies++;
        fake.packed = bytes > fake.packed ? bytes : fake.packed;
    }
    struct work *work = queue(stream, OP_COPY);
    work->to = to;
    work->from = from;
    work->bytes = bytes;
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    (void)kind;
    memmove(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    struct work *work = queue(stream, OP_SET);
    work->to = to;
    work->bytes = bytes;
    work->value = value;
    return cudaSuccess;
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    memset(to, value, bytes);
    return cudaSuccess;
}

/* 13.0's; before it the one with this signature was _v2. */
#if CUDART_VERSION < 13000
#define cudaMemPrefetchAsync cudaMemPrefetchAsync_v2
#endif
cudaError_t cudaMemPrefetchAsync(const void *memory, size_t bytes, struct cudaMemLocation location, unsigned flags,
                                 cudaStream_t stream)
{
    const struct block *block = find(memory, bytes);
    (void)flags, (void)stream;
    if (!block || block->place != PLACE_MANAGED)
        misuse("prefetches what is not managed");
    if (location.type != cudaMemLocationTypeHost && location.type != cudaMemLocationTypeDevice)
        misuse("prefetches to nowhere");
    fake.copies++;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    fake.mallocs++;
    return allocate(memory, bytes, PLACE_DEVICE);
}

cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t stream)
{
    (void)stream;
    fake.pool_mallocs++;
    cudaError_t result = allocate(memory, bytes, PLACE_DEVICE);
    blocks[block_count - 1].pool = true;
    return result;
}

/* Waits for everything, as the real one does. */
cudaError_t cudaFree(void *memory)
{
    fake_finish();
    const struct block *block = memory ? find(memory, 1) : NULL;
    if (block && block->pool)
        misuse("freed by the wrong function");
    return release(memory, true);
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream)
{
    const struct block *block = find(memory, 1);
    if (!block || !block->pool)
        misuse("freed by the wrong function");
    queue(stream, OP_FREE)->to = memory;
    return cudaSuccess;
}

cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned flags)
{
    (void)flags;
    return allocate(memory, bytes, PLACE_MANAGED);
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    return allocate(memory, bytes, flags & cudaHostAllocMapped ? PLACE_MAPPED : PLACE_PINNED);
}

cudaError_t cudaFreeHost(void *memory)
{
    return release(memory, false);
}

cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned flags)
{
    (void)flags;
    if (fake.host_used + bytes > fake.host_room)
        return cudaErrorMemoryAllocation;
    blocks[block_count++] = (struct block){memory, bytes, PLACE_PINNED, true, false};
    fake.host_used += bytes;
    fake.live++;
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *memory)
{
    struct block *block = find(memory, 1);
    if (!block || !block->registered) {
        misuse("unregisters what is not registered");
        return cudaSuccess;
    }
    fake.host_used -= block->bytes;
    fake.live--;
    block->memory = NULL;
    return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    const struct block *block = find(host, 1);
    (void)flags;
    if (!block || block->place != PLACE_MAPPED)
        misuse("maps what is not mapped");
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    *free_bytes = *total_bytes = 0;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t error)
{
    static char text[32];
    snprintf(text, sizeof text, "error %d", (int)error);
    return text;
}

int gpu_check(cudaError_t result, const char *what, struct error *error)
{
    return result ? error_set(error, ERROR_DEVICE, "%s: %s", what, cudaGetErrorString(result)) : 0;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **arguments)
{
    cudaError_t result = fake.next_launch;
    fake.next_launch = cudaSuccess;
    if (result)
        return result;
    struct work *work = queue(config->stream, OP_KERNEL);
    work->kernel = function;
    for (size_t i = 0; work->kernel->arguments[i]; i++)
        memcpy(&work->arguments[i], arguments[i], work->kernel->arguments[i] == 'p' ? 8 : 4);
    fake.launches++;
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    (void)function, (void)attribute, (void)value;
    return cudaSuccess;
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *options, void **values,
                                unsigned count, enum cudaLibraryOption *more, void **more_values, unsigned more_count)
{
    (void)code, (void)options, (void)values, (void)count, (void)more, (void)more_values, (void)more_count;
    *library = NULL;
    return cudaSuccess;
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    (void)library, (void)name;
    *kernel = NULL;
    return cudaSuccess;
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    (void)library;
    return cudaSuccess;
}

cudaError_t cudaLibraryGetGlobal(void **memory, size_t *bytes, cudaLibrary_t library, const char *name)
{
    (void)library;
    if (strcmp(name, "COEFF") != 0)
        return cudaErrorSymbolNotFound;
    *memory = fake.symbol;
    *bytes = fake.symbol_bytes;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *function, const cudaLaunchConfig_t *config)
{
    (void)function;
    if (config->numAttrs != 1 || config->attrs->id != cudaLaunchAttributeClusterDimension)
        misuse("no cluster is asked for");
    *clusters = fake.clusters;
    return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *description, const struct cudaResourceViewDesc *view)
{
    (void)description, (void)view;
    fake.textures++;
    fake.texture = *resource;
    *texture = 77;
    return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    (void)texture;
    fake.textures--;
    return cudaSuccess;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue *value)
{
    (void)stream;
    if (attribute != cudaLaunchAttributeAccessPolicyWindow)
        misuse("another attribute");
    if (value->accessPolicyWindow.num_bytes)
        fake.windows++;
    fake.window_bytes = value->accessPolicyWindow.num_bytes;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    if (limit != cudaLimitPersistingL2CacheSize)
        misuse("another limit");
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
