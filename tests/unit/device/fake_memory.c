/* Device and host memory of the fake runtime. All of it is host memory; the allocating function determines its users
 * and how it is freed. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake_private.h"

enum place { PLACE_NONE, PLACE_DEVICE, PLACE_PINNED, PLACE_MAPPED, PLACE_MANAGED };
static struct block {
    unsigned char *memory;
    size_t bytes;
    enum place place;
    bool registered, pool;
    bool mapped; /* of another process */
    int file;    /* that holds its pages for other processes, plus 1; 0: none */
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

const void *fake_find_bytes(const void *bytes, size_t length, size_t room)
{
    for (size_t i = 0; i < block_count; i++)
        if (blocks[i].memory && blocks[i].place == PLACE_DEVICE && blocks[i].bytes >= room) {
            const void *found = memmem(blocks[i].memory, blocks[i].bytes - room + length, bytes, length);
            if (found)
                return found;
        }
    return NULL;
}

static bool on_host(enum place place)
{
    return place != PLACE_DEVICE;
}

/* Reuses the entry of a freed block. */
static void add(struct block block)
{
    size_t at = 0;
    while (at < block_count && blocks[at].memory)
        at++;
    if (at == sizeof blocks / sizeof *blocks)
        abort();
    block_count = at == block_count ? at + 1 : block_count;
    blocks[at] = block;
    fake.live++;
}

static cudaError_t allocate(void **memory, size_t bytes, enum place place)
{
    size_t room = on_host(place) ? fake.host_room : fake.device_room - fake.device_taken;
    size_t *used = on_host(place) ? &fake.host_used : &fake.device_used;
    if (fake_context)
        return fake_context;
    if (++fake.allocations == fake.malloc_fails || bytes > room || *used > room - bytes)
        return fake_fail(cudaErrorMemoryAllocation);
    if (posix_memalign(memory, 4096, bytes ? bytes : 1))
        abort();
    if (bytes <= 1 << 20)
        memset(*memory, 0x7e, bytes);
    add((struct block){.memory = *memory, .bytes = bytes, .place = place});
    *used += bytes;
    return cudaSuccess;
}

cudaError_t fake_release(void *memory, bool device)
{
    struct block *block = memory ? find(memory, 1) : NULL;
    if (!memory)
        return cudaSuccess;
    if (!block || block->memory != memory || device != (block->place == PLACE_DEVICE || block->place == PLACE_MANAGED))
        fake_misuse("freed by the wrong function");
    else {
        *(on_host(block->place) ? &fake.host_used : &fake.device_used) -= block->bytes;
        memset(block->memory, 0xee, block->bytes <= 1 << 20 ? block->bytes : 1 << 20);
        if (block->file)
            close(block->file - 1);
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
        fake_misuse("a kernel uses memory that is not the device's");
}

bool fake_is_device(const void *memory, size_t bytes)
{
    const struct block *block = find(memory, bytes);
    return block && !block->registered && block->place != PLACE_PINNED && block->place != PLACE_MAPPED;
}

bool fake_is_pooled(const void *memory)
{
    const struct block *block = find(memory, 1);
    return block && block->pool;
}

void fake_release_all(void)
{
    for (size_t i = 0; i < block_count; i++)
        if (blocks[i].memory && !blocks[i].registered && !blocks[i].mapped)
            free(blocks[i].memory);
    block_count = 0;
}

/* ---- The runtime's functions ---- */

/* the name in 13.0; earlier versions call it _v2 */
#if CUDART_VERSION < 13000
#define cudaMemPrefetchAsync cudaMemPrefetchAsync_v2
#endif
cudaError_t cudaMemPrefetchAsync(const void *memory, size_t bytes, struct cudaMemLocation location, unsigned flags,
                                 cudaStream_t stream)
{
    const struct block *block = find(memory, bytes);
    (void)flags, (void)stream;
    if (!block || block->place != PLACE_MANAGED)
        fake_misuse("prefetches unmanaged memory");
    if (location.type != cudaMemLocationTypeHost && location.type != cudaMemLocationTypeDevice)
        fake_misuse("prefetches to nowhere");
    fake.copies++;
    fake.to_host += location.type == cudaMemLocationTypeHost;
    fake.to_device += location.type == cudaMemLocationTypeDevice;
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
    if (!result)
        find(*memory, 1)->pool = true;
    return result;
}

/* Waits for everything, like the real one. */
cudaError_t cudaFree(void *memory)
{
    fake_finish();
    const struct block *block = memory ? find(memory, 1) : NULL;
    if (block && block->pool)
        fake_misuse("freed by the wrong function");
    return fake_release(memory, true);
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
    return fake_release(memory, false);
}

cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned flags)
{
    (void)flags;
    if (fake.host_used + bytes > fake.host_room)
        return cudaErrorMemoryAllocation;
    add((struct block){.memory = memory, .bytes = bytes, .place = PLACE_PINNED, .registered = true});
    fake.host_used += bytes;
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *memory)
{
    struct block *block = find(memory, 1);
    if (!block || !block->registered) {
        fake_misuse("unregisters unregistered memory");
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
        fake_misuse("maps unmapped memory");
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    *free_bytes = fake.device_room - fake.device_taken - fake.device_used;
    *total_bytes = fake.device_room;
    return fake_context;
}

/* ---- Memory that another process maps ---- */

/* What a handle of the fake runtime has. */
struct handle {
    pid_t process;
    int file;
    size_t bytes;
};

static size_t pages_of(const struct block *block)
{
    return (block->bytes + 4095) / 4096 * 4096;
}

/* Replaces the block's pages by those of a file, with the same contents, once. */
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *memory)
{
    struct block *block = find(memory, 1);
    if (fake_context)
        return fake_context;
    if (fake.no_export || !block || block->place != PLACE_DEVICE || block->memory != memory)
        return fake_fail(cudaErrorInvalidValue);
    const size_t bytes = pages_of(block);
    if (!block->file) {
        block->file = memfd_create("device memory", MFD_CLOEXEC) + 1;
        if (!block->file || pwrite(block->file - 1, memory, bytes, 0) != (ssize_t)bytes ||
            mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, block->file - 1, 0) != memory)
            abort();
    }
    const struct handle own = {getpid(), block->file - 1, block->bytes};
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &own, sizeof own);
    return cudaSuccess;
}

cudaError_t cudaIpcOpenMemHandle(void **memory, cudaIpcMemHandle_t handle, unsigned flags)
{
    struct handle other;
    char path[64];
    memcpy(&other, &handle, sizeof other);
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)other.process, other.file);
    const int file = fake.no_mapping ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (flags != cudaIpcMemLazyEnablePeerAccess)
        fake_misuse("maps memory without access to peers");
    *memory = file < 0 ? MAP_FAILED : mmap(NULL, other.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    if (*memory == MAP_FAILED)
        return fake_fail(cudaErrorMapBufferObjectFailed);
    fake_count_mapping();
    add((struct block){.memory = *memory, .bytes = other.bytes, .place = PLACE_DEVICE, .mapped = true});
    return cudaSuccess;
}

cudaError_t cudaIpcCloseMemHandle(void *memory)
{
    struct block *block = find(memory, 1);
    fake_finish();
    if (!block || !block->mapped || block->memory != memory) {
        fake_misuse("unmaps memory that is not mapped");
        return cudaErrorInvalidValue;
    }
    munmap(memory, block->bytes);
    block->memory = NULL;
    fake.live--;
    return cudaSuccess;
}
