/* Allocates the kernels' buffers, copies files to them, restores and poisons them. */
#include "device/buffers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/random.h"
#include "device/check.h"
#include "device/gpu.h"
#include "device/launch.h"
#include "device/precision.h"

/* ALIGN: as textures require. PLACES: of a buffer in guarded measuring, ALIGN bytes apart. SITES: of all buffers
 * together, PAGE_BYTES apart. PAGE_BYTES: of the device, and of the blocks in which the driver shares memory with a
 * process */
enum { ALIGN = 512, PLACES = 64, SITES = 32, PAGE_BYTES = 2 << 20, HELPER_THREADS = 256 };

static uint64_t align(uint64_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

bool gpu_is_result(const struct gpu_buffer *buffer)
{
    return buffer_roles[buffer->role].compared;
}

bool gpu_is_compared(const struct gpu_buffer *buffer)
{
    return gpu_is_result(buffer) && !buffer->accepted;
}

uint64_t gpu_judged_bytes(const struct gpu_buffer *buffer)
{
    return buffer->bytes / buffer->count * (buffer->count - buffer->ignored);
}

static bool has_initial(const struct gpu_buffer *buffer)
{
    return buffer->role == BUFFER_INOUT && !fills[buffer->fill].zeros;
}

void gpu_point_to_set(struct gpu *gpu, unsigned char *memory)
{
    for (size_t i = 0; i < gpu->buffer_count; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        buffer->reference = memory && gpu_is_compared(buffer) ? memory : NULL;
        if (buffer->reference)
            memory += align(buffer->bytes);
        buffer->fp64 = memory && gpu_fp64_bytes(buffer) ? memory : NULL;
        if (buffer->fp64)
            memory += align(gpu_fp64_bytes(buffer));
    }
}

/* verdicts of the buffers and of the accept kernel, and the stamps */
enum { VERDICTS_BYTES = (GPU_STAMPS + 1) * sizeof(struct gpu_verdict) };

cudaError_t gpu_allocate_flush(struct gpu *gpu)
{
    gpu->flush_bytes = (size_t)(gpu->limits.l2_bytes > 0 ? gpu->limits.l2_bytes : 4 << 20);
    return gpu->flush ? cudaSuccess : cudaMalloc((void **)&gpu->flush, gpu->flush_bytes);
}

/* Occupies a block of random size before the buffers are allocated. A fresh process may get the same places in
 * memory as the one before it, and times depend on places: on channels of memory and sets of the L2 cache. If the block
 * would leave little memory, or cannot be had, the buffers stay where the driver puts them. */
static void displace(struct gpu *gpu)
{
    size_t free_bytes = 0, total_bytes = 0;
    struct random random;
    if (!gpu->places || gpu->spacer)
        return;
    random_seed(&random, gpu->places);
    size_t bytes = (1 + (size_t)random_below(&random, SITES)) * PAGE_BYTES;
    if (cudaMemGetInfo(&free_bytes, &total_bytes) || free_bytes < 2 * bytes + gpu->held_bytes ||
        cudaMalloc(&gpu->spacer, bytes))
        cudaGetLastError();
}

/* Returns the bytes of a buffer with its guards, at any of its places. */
static uint64_t room_of(const struct gpu *gpu, const struct gpu_buffer *buffer)
{
    return GUARD_BYTES + align(buffer->bytes + GUARD_BYTES) + (gpu->sampling.guarding.on ? PLACES * ALIGN : 0);
}

void gpu_move_buffers(struct gpu *gpu, uint64_t seed)
{
    for (size_t i = 0; i < gpu->buffer_count; i++)
        if (gpu->buffers[i].first)
            gpu->buffers[i].data = gpu->buffers[i].first + random_mix(seed, i) % PLACES * ALIGN;
}

int gpu_allocate(struct gpu *gpu, struct error *error)
{
    uint64_t tested = 0, kept = 0;
    gpu->set_bytes = 0;
    const bool guarded = gpu->sampling.guarding.on; /* then the referee has the expected results */
    bool scratch = false;
    int code;
    /* Each buffer: guard, data, guard. The second guard begins right behind the data. */
    for (size_t i = 0; i < gpu->buffer_count; i++) {
        tested += room_of(gpu, &gpu->buffers[i]);
        if (gpu_is_compared(&gpu->buffers[i]) && !guarded)
            gpu->set_bytes += align(gpu->buffers[i].bytes) + align(gpu_fp64_bytes(&gpu->buffers[i]));
        kept += has_initial(&gpu->buffers[i]) ? align(gpu->buffers[i].bytes) : 0;
        scratch |= gpu->buffers[i].role == BUFFER_SCRATCH;
    }
    kept += gpu->set_bytes; /* memory of the first set */
    if (guarded)            /* so that the referee maps nothing else */
        tested = (tested + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    gpu->tested_bytes = tested;
    cudaError_t result = gpu_allocate_flush(gpu);
    gpu->held_bytes = tested + kept + gpu->flush_bytes;
    displace(gpu);
    if (!result)
        result = cudaMalloc((void **)&gpu->sites, tested);
    if (!result)
        result = cudaMalloc((void **)&gpu->kept, kept + align(VERDICTS_BYTES));
    if (!result)
        result = cudaHostAlloc((void **)&gpu->judged, VERDICTS_BYTES, cudaHostAllocDefault);
    if (result) {
        size_t free_bytes = 0, total_bytes = 0;
        char need[32], have[32];
        cudaMemGetInfo(&free_bytes, &total_bytes);
        code = error_set(error, ERROR_DEVICE, "the buffers need %s of device memory: %s",
                         format_bytes(need, sizeof need, (double)gpu->held_bytes), cudaGetErrorString(result));
        error_hint(error, "%s are free; make the problem smaller with -D%s, or wait for other processes on the device",
                   format_bytes(have, sizeof have, (double)free_bytes),
                   scratch ? ", limit the scratch buffers with `require`" : "");
        return code;
    }
    gpu->tested = gpu->sites;
    gpu->site_count = 1;
    unsigned char *at = gpu->tested, *copy = gpu->kept;
    gpu->verdicts = (struct gpu_verdict *)copy;
    copy += align(VERDICTS_BYTES);
    gpu_point_to_set(gpu, guarded ? NULL : copy);
    if (gpu->set && !guarded)
        gpu->set->memory = copy;
    copy += gpu->set_bytes;
    for (size_t i = 0; i < gpu->buffer_count; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        buffer->data = at + GUARD_BYTES;
        buffer->first = guarded ? buffer->data : NULL;
        at += room_of(gpu, buffer);
        buffer->initial = has_initial(buffer) ? copy : NULL;
        copy += has_initial(buffer) ? align(buffer->bytes) : 0;
    }
    return 0;
}

/* Leaves the first set's memory to `kept`, of which it is a part, even if another set uses it now. */
void gpu_free_buffers(struct gpu *gpu)
{
    const unsigned char *first = gpu->kept ? gpu->kept + align(VERDICTS_BYTES) : NULL;
    for (size_t s = 0; s < SPACE_SETS_MAX; s++)
        if (gpu->sets[s] && gpu->sets[s]->memory != first)
            cudaFree(gpu->sets[s]->memory);
    cudaFree(gpu->sites);
    cudaFree(gpu->kept);
    cudaFreeHost(gpu->judged);
}

/* ---- Sites ---- */

static bool may_hold_addresses(const struct gpu *gpu)
{
    bool may = false;
    for (size_t i = 0; i < gpu->buffer_count; i++)
        may |= gpu->buffers[i].fill == FILL_KERNEL;
    return may;
}

/* Allocates room for all sites; NULL: less than a quarter of the memory would stay free for other processes. */
static unsigned char *allocate_sites(struct gpu *gpu)
{
    const uint64_t room_bytes = (uint64_t)(SITES - 1) * PAGE_BYTES;
    size_t free_bytes = 0, total_bytes = 0;
    unsigned char *sites = NULL;
    if (cudaMemGetInfo(&free_bytes, &total_bytes) || free_bytes < gpu->tested_bytes + room_bytes + total_bytes / 4 ||
        cudaMalloc((void **)&sites, gpu->tested_bytes + room_bytes)) {
        cudaGetLastError();
        return NULL;
    }
    gpu->site_count = SITES;
    gpu->held_bytes += room_bytes;
    return sites;
}

/* Copies from the end that lies ahead, in parts that do not overlap their copies. */
static cudaError_t slide(struct gpu *gpu, unsigned char *to, const unsigned char *from, uint64_t bytes)
{
    const uint64_t distance = (uint64_t)(to > from ? to - from : from - to);
    cudaError_t result = cudaSuccess;
    for (uint64_t done = 0, part; done < bytes && distance && !result; done += part) {
        part = bytes - done < distance ? bytes - done : distance;
        uint64_t at = to < from ? done : bytes - done - part;
        result = cudaMemcpyAsync(to + at, from + at, part, cudaMemcpyDeviceToDevice, gpu->stream);
    }
    return result;
}

cudaError_t gpu_carry_buffers(struct gpu *gpu, uint64_t seed)
{
    unsigned char *const from = gpu->tested, *const before = gpu->sites;
    unsigned char *sites = before;
    if (gpu->site_count == 1)
        sites = may_hold_addresses(gpu) ? NULL : allocate_sites(gpu);
    if (!sites)
        return cudaSuccess;
    gpu->sites = sites;
    gpu->tested = sites + random_mix(seed, 0) % gpu->site_count * PAGE_BYTES;
    for (size_t i = 0; i < gpu->buffer_count; i++)
        gpu->buffers[i].data = gpu->tested + (gpu->buffers[i].data - from);
    cudaError_t result = slide(gpu, gpu->tested, from, gpu->tested_bytes);
    cudaError_t done = cudaStreamSynchronize(gpu->stream);
    if (sites != before)
        cudaFree(before);
    return result ? result : done;
}

static cudaError_t queue_helper(struct gpu *gpu, enum helper helper, uint64_t items, void **arguments)
{
    uint64_t blocks = (items + HELPER_THREADS - 1) / HELPER_THREADS, most = (uint64_t)gpu->limits.sm_count * 16;
    cudaLaunchConfig_t config = {.gridDim = {(unsigned)(blocks > most ? most
                                                        : blocks      ? blocks
                                                                      : 1),
                                             1, 1},
                                 .blockDim = {HELPER_THREADS, 1, 1},
                                 .stream = gpu->stream};
    return cudaLaunchKernelExC(&config, (const void *)gpu->helpers[helper], arguments);
}

int gpu_helper(struct gpu *gpu, enum helper helper, uint64_t items, void **arguments, struct error *error)
{
    return gpu_check(queue_helper(gpu, helper, items, arguments), "launching one of cutune's own kernels", error);
}

/* `from`: distance from the buffer's data, in bytes; a negative one wraps. */
static cudaError_t queue_guard(struct gpu *gpu, const struct gpu_buffer *buffer, uint64_t from, uint64_t bytes,
                               struct gpu_verdict *verdict)
{
    unsigned long long number = (uint64_t)(buffer - gpu->buffers), distance = from, length = bytes;
    unsigned char *guard = buffer->data + (int64_t)from;
    void *arguments[] = {&guard, &length, &number, &distance, &verdict};
    return bytes ? queue_helper(gpu, HELPER_GUARD, bytes, arguments) : cudaSuccess;
}

cudaError_t gpu_queue_guards(struct gpu *gpu, const struct gpu_buffer *buffer, struct gpu_verdict *verdict)
{
    cudaError_t result = queue_guard(gpu, buffer, -(uint64_t)GUARD_BYTES, GUARD_BYTES, verdict);
    return result ? result : queue_guard(gpu, buffer, buffer->bytes, buffer->spare_bytes + GUARD_BYTES, verdict);
}

int gpu_load_helpers(struct gpu *gpu, const void *cubin, struct error *error)
{
    const char *name = device_kernels_source.names;
    int64_t local_bytes = 0;
    int code = gpu_check(cudaLibraryLoadData(&gpu->helper_library, cubin, NULL, NULL, 0, NULL, NULL, 0),
                         "loading cutune's own kernels", error);
    for (int i = 0; i < HELPER_COUNT && !code; i++, name += strlen(name) + 1)
        code = gpu_check(cudaLibraryGetKernel(&gpu->helpers[i], gpu->helper_library, name), name, error);
    for (int i = 0; i < HELPER_COUNT && !code; i++) /* some are first launched behind a hold */
        code = gpu_check(gpu_load_code(gpu->helpers[i], &local_bytes), "loading cutune's own kernels", error);
    return code;
}

int gpu_read_file(struct gpu *gpu, const struct gpu_buffer *buffer, const char *path, uint64_t offset, uint64_t bytes,
                  unsigned char *to, struct error *error)
{
    enum { CHUNK = 8 << 20 };
    int code = file_check_regular(path, error);
    FILE *file = code ? NULL : fopen(path, "rb");
    char *chunk = malloc(CHUNK);
    if (!code && !file)
        code = error_errno(error, ERROR_NOT_FOUND, "buffer %s: cannot open %s", buffer->name, path);
    else if (!code && !chunk)
        code = error_memory(error);
    else if (!code && offset && fseeko(file, (off_t)offset, SEEK_SET) != 0)
        code = error_errno(error, ERROR_IO, "buffer %s: cannot read %s", buffer->name, path);
    for (uint64_t at = 0; at < bytes && !code;) {
        size_t want = bytes - at < CHUNK ? (size_t)(bytes - at) : CHUNK;
        if (fread(chunk, 1, want, file) != want) {
            code = error_set(error, ERROR_DATA, "buffer %s: %s is shorter than the %llu bytes of the buffer",
                             buffer->name, path, (unsigned long long)bytes);
            break;
        }
        code = gpu_check(cudaMemcpyAsync(to + at, chunk, want, cudaMemcpyHostToDevice, gpu->stream), "filling a buffer",
                         error);
        if (!code) /* the next read overwrites `chunk` */
            code = gpu_check(cudaStreamSynchronize(gpu->stream), "filling a buffer", error);
        at += want;
    }
    free(chunk);
    if (file)
        fclose(file);
    return code;
}

cudaError_t gpu_set_scratch(struct gpu *gpu, const struct launch *launch, int poison)
{
    cudaError_t result = cudaSuccess;
    size_t scratch = 0;
    for (size_t i = 0; i < gpu->buffer_count && !result; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        if (buffer->role != BUFFER_SCRATCH)
            continue;
        uint64_t bytes = launch->scratch_bytes[scratch++], most = buffer->bytes + buffer->spare_bytes;
        if (bytes > most)
            return cudaErrorInvalidValue;
        buffer->bytes = bytes;
        buffer->spare_bytes = most - bytes;
        if (poison != GPU_SCRATCH_KEPT)
            result = cudaMemsetAsync(buffer->data, poison, (size_t)bytes, gpu->stream);
        if (!result)
            result = queue_guard(gpu, buffer, bytes, buffer->spare_bytes, NULL);
    }
    return result;
}

cudaError_t gpu_restore(struct gpu *gpu)
{
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < gpu->buffer_count && !result; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        if (buffer->initial)
            result =
                cudaMemcpyAsync(buffer->data, buffer->initial, buffer->bytes, cudaMemcpyDeviceToDevice, gpu->stream);
        else if (buffer->role == BUFFER_INOUT)
            result = cudaMemsetAsync(buffer->data, 0, buffer->bytes, gpu->stream);
    }
    return result;
}

int gpu_poison(struct gpu *gpu, const struct gpu_buffer *buffer, unsigned char *to, const unsigned char *from,
               struct error *error)
{
    unsigned long long count = buffer->count;
    int scalar = (int)buffer->scalar;
    void *arguments[] = {&to, &from, &count, &scalar};
    return gpu_helper(gpu, HELPER_POISON, count, arguments, error);
}
