/* pipeline: transfer, compute, transfer. Runs a kernel chunk by chunk between copies from and to host memory, in
 * several streams.
 *
 * The buffers on the device stay authoritative. Before a verified run every region is copied to the host, with poisoned
 * outputs and all guards, and the device's copies are poisoned. Afterwards the results on the host, and any other
 * memory that the kernel used, are copied into the buffers and judged like those of any other kernel. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "device/buffers.h"
#include "device/check.h"
#include "device/gpu.h"
#include "device/host.h"
#include "device/launch.h"
#include "device/techniques.h"

#if CUDART_VERSION >= 13000
#define prefetch_to cudaMemPrefetchAsync
#else
#define prefetch_to cudaMemPrefetchAsync_v2
#endif

struct pipeline_run {
    struct gpu *gpu;
    struct gpu_kernel *kernel;
    const struct launch_pipeline *pipeline;
    struct gpu_host *host;
    uint64_t chunks;
    enum device_allocation allocation;
    unsigned char *working[SPACE_COPIES_MAX]; /* regions with guards, allocated for this run */
    struct gpu_places places;
};

/* A chunk's part of a copied buffer. */
struct part {
    uint64_t offset, bytes;
};

static struct gpu_buffer *buffer_of(const struct pipeline_run *run, size_t copy)
{
    return &run->gpu->buffers[run->pipeline->copies[copy].buffer];
}

static size_t region_bytes(const struct gpu_buffer *buffer)
{
    return (size_t)buffer->bytes + 2 * GUARD_BYTES;
}

static uint64_t chunk_length(const struct launch_pipeline *pipeline, uint64_t chunk)
{
    uint64_t offset = chunk * pipeline->chunk_length, left = pipeline->total - offset;
    return left < pipeline->chunk_length ? left : pipeline->chunk_length;
}

static struct part part_of(const struct pipeline_run *run, size_t copy, uint64_t chunk)
{
    uint64_t item_bytes = buffer_of(run, copy)->bytes / run->pipeline->total;
    return (struct part){chunk * run->pipeline->chunk_length * item_bytes,
                         chunk_length(run->pipeline, chunk) * item_bytes};
}

static cudaStream_t stream_of(const struct pipeline_run *run, uint64_t chunk)
{
    return run->gpu->pipeline.streams[chunk % run->pipeline->streams];
}

static bool is_managed(const struct launch_pipeline *pipeline)
{
    return pipeline->host_memory == HOST_MANAGED;
}

/* True if the kernel works on host memory directly. */
static bool in_place(const struct launch_pipeline *pipeline)
{
    return pipeline->host_memory == HOST_MAPPED || is_managed(pipeline);
}

static void work_for(uint64_t ns)
{
    for (int64_t end_ns = clock_now_ns() + (int64_t)ns; clock_now_ns() < end_ns;)
        ;
}

static cudaError_t make_streams(struct gpu *gpu, size_t count)
{
    struct gpu_pipeline *pipeline = &gpu->pipeline;
    cudaError_t result = cudaSuccess;
    if (!pipeline->start)
        result = cudaEventCreateWithFlags(&pipeline->start, cudaEventDisableTiming);
    for (; pipeline->stream_count < count && !result; pipeline->stream_count += !result) {
        size_t i = pipeline->stream_count;
        if (!pipeline->ends[i])
            result = cudaEventCreateWithFlags(&pipeline->ends[i], cudaEventDisableTiming);
        if (!result)
            result = cudaStreamCreateWithFlags(&pipeline->streams[i], cudaStreamNonBlocking);
    }
    return result;
}

/* ---- Transfers ---- */

static cudaError_t prefetch(unsigned char *data, uint64_t bytes, bool to_host, cudaStream_t stream)
{
    struct cudaMemLocation location = {.type = cudaMemLocationTypeHost};
    cudaError_t result = cudaSuccess;
    if (!to_host) {
        location.type = cudaMemLocationTypeDevice;
        result = cudaGetDevice(&location.id);
    }
    return result ? result : prefetch_to(data, (size_t)bytes, location, 0, stream);
}

static uint64_t piece_bytes(uint64_t bytes, uint64_t pieces)
{
    return (bytes + pieces - 1) / pieces;
}

/* Queues the transfers of a part, one for each piece. */
static cudaError_t transfer(const struct pipeline_run *run, unsigned char *to, const unsigned char *from,
                            uint64_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    uint64_t piece = piece_bytes(bytes, run->pipeline->packed ? 1 : run->pipeline->pieces);
    cudaError_t result = cudaSuccess;
    for (uint64_t at = 0; at < bytes && !result; at += piece)
        result = cudaMemcpyAsync(to + at, from + at, (size_t)(bytes - at < piece ? bytes - at : piece), kind, stream);
    return result;
}

/* Packs many pieces on the host for a single transfer. */
static void pack(const struct pipeline_run *run, unsigned char *to, const unsigned char *from, uint64_t bytes)
{
    uint64_t piece = piece_bytes(bytes, run->pipeline->pieces);
    for (uint64_t at = 0; at < bytes; at += piece)
        memcpy(to + at, from + at, (size_t)(bytes - at < piece ? bytes - at : piece));
}

static cudaError_t copy_in(struct pipeline_run *run, uint64_t chunk)
{
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < run->pipeline->copy_count && !result; i++) {
        const struct part part = part_of(run, i, chunk);
        unsigned char *host = run->host->regions[i] + GUARD_BYTES + part.offset, *staging = NULL;
        unsigned char *device = run->places.data[run->pipeline->copies[i].buffer] + part.offset;
        if (!run->pipeline->copies[i].in || run->pipeline->host_memory == HOST_MAPPED)
            continue;
        if (is_managed(run->pipeline)) {
            result = prefetch(host, part.bytes, false, stream_of(run, chunk));
            continue;
        }
        if (run->pipeline->packed) {
            staging = run->host->staging[i] + part.offset;
            pack(run, staging, host, part.bytes);
        }
        result =
            transfer(run, device, staging ? staging : host, part.bytes, cudaMemcpyHostToDevice, stream_of(run, chunk));
    }
    return result;
}

static cudaError_t compute(struct pipeline_run *run, uint64_t chunk)
{
    return gpu_launch_part(run->kernel, &run->places, stream_of(run, chunk), chunk * run->pipeline->chunk_length,
                           chunk_length(run->pipeline, chunk));
}

static cudaError_t copy_out(struct pipeline_run *run, uint64_t chunk)
{
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < run->pipeline->copy_count && !result; i++) {
        const struct part part = part_of(run, i, chunk);
        unsigned char *device = run->places.data[run->pipeline->copies[i].buffer] + part.offset;
        unsigned char *host = run->host->regions[i] + GUARD_BYTES + part.offset;
        if (!run->pipeline->copies[i].out || run->pipeline->host_memory == HOST_MAPPED)
            continue;
        if (is_managed(run->pipeline))
            result = prefetch(host, part.bytes, true, stream_of(run, chunk));
        else
            result = transfer(run, run->pipeline->packed ? run->host->staging[i] + part.offset : host, device,
                              part.bytes, cudaMemcpyDeviceToHost, stream_of(run, chunk));
    }
    if (!result && run->pipeline->packed)
        result = cudaEventRecord(run->gpu->pipeline.arrived[chunk], stream_of(run, chunk));
    return result;
}

/* Unpacks the outputs chunk by chunk as they arrive. */
static cudaError_t unpack_all(struct pipeline_run *run)
{
    cudaError_t result = cudaSuccess;
    for (uint64_t chunk = 0; run->pipeline->packed && chunk < run->chunks && !result; chunk++) {
        result = cudaEventSynchronize(run->gpu->pipeline.arrived[chunk]);
        for (size_t i = 0; i < run->pipeline->copy_count && !result; i++) {
            const struct part part = part_of(run, i, chunk);
            if (run->pipeline->copies[i].out)
                pack(run, run->host->regions[i] + GUARD_BYTES + part.offset, run->host->staging[i] + part.offset,
                     part.bytes);
        }
    }
    return result;
}

/* ---- One run ---- */

static cudaError_t allocate(struct pipeline_run *run)
{
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < run->pipeline->copy_count && !result; i++) {
        size_t bytes = region_bytes(buffer_of(run, i));
        uint32_t number = run->pipeline->copies[i].buffer;
        void *memory = NULL, *mapped = NULL;
        if (in_place(run->pipeline)) {
            result =
                is_managed(run->pipeline) ? cudaSuccess : cudaHostGetDevicePointer(&mapped, run->host->regions[i], 0);
            run->places.data[number] = (mapped ? (unsigned char *)mapped : run->host->regions[i]) + GUARD_BYTES;
            continue;
        }
        if (run->allocation == ALLOCATION_REUSE)
            continue;
        result = run->allocation == ALLOCATION_POOL ? cudaMallocAsync(&memory, bytes, run->gpu->stream)
                                                    : cudaMalloc(&memory, bytes);
        if (!result) {
            run->working[i] = memory;
            run->places.data[number] = run->working[i] + GUARD_BYTES;
        }
    }
    return result;
}

/* Copies between the buffers and the memory allocated for this run, in either direction. */
static cudaError_t carry(struct pipeline_run *run, bool back)
{
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < run->pipeline->copy_count && !result; i++) {
        unsigned char *own = buffer_of(run, i)->data - GUARD_BYTES;
        if (run->working[i])
            result = cudaMemcpyAsync(back ? own : run->working[i], back ? run->working[i] : own,
                                     region_bytes(buffer_of(run, i)), cudaMemcpyDeviceToDevice, run->gpu->stream);
    }
    return result;
}

static cudaError_t release(struct pipeline_run *run, cudaError_t result)
{
    for (size_t i = 0; i < run->pipeline->copy_count; i++) {
        cudaError_t freed = cudaSuccess;
        if (run->working[i])
            freed = run->allocation == ALLOCATION_POOL ? cudaFreeAsync(run->working[i], run->gpu->stream)
                                                       : cudaFree(run->working[i]);
        if (!result)
            result = freed;
    }
    return result;
}

/* All streams wait for the start event, and gpu->stream waits for the ends of all streams. */
static cudaError_t fork_streams(struct pipeline_run *run)
{
    struct gpu_pipeline *own = &run->gpu->pipeline;
    cudaError_t result = cudaEventRecord(own->start, run->gpu->stream);
    for (size_t i = 0; i < run->pipeline->streams && !result; i++)
        result = cudaStreamWaitEvent(own->streams[i], own->start, 0);
    return result;
}

static cudaError_t join_streams(struct pipeline_run *run)
{
    struct gpu_pipeline *own = &run->gpu->pipeline;
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < run->pipeline->streams && !result; i++) {
        result = cudaEventRecord(own->ends[i], own->streams[i]);
        if (!result)
            result = cudaStreamWaitEvent(run->gpu->stream, own->ends[i], 0);
    }
    return result;
}

/* Functions that queue a stage's work for one chunk. */
static cudaError_t (*const of_chunks[STAGES])(struct pipeline_run *, uint64_t) = {
    [STAGE_IN] = copy_in, [STAGE_KERNEL] = compute, [STAGE_OUT] = copy_out};

static cudaError_t queue_stage(struct pipeline_run *run, enum gpu_stage stage)
{
    cudaError_t result = cudaSuccess;
    for (uint64_t chunk = 0; chunk < run->chunks && !result; chunk++)
        result = of_chunks[stage](run, chunk);
    return result;
}

static cudaError_t queue_chunks(struct pipeline_run *run)
{
    cudaError_t result = cudaSuccess;
    if (run->pipeline->order == ORDER_BREADTH) {
        for (enum gpu_stage stage = STAGE_IN; stage <= STAGE_OUT && !result; stage++)
            result = queue_stage(run, stage);
        return result;
    }
    for (uint64_t chunk = 0; chunk < run->chunks && !result; chunk++)
        for (enum gpu_stage stage = STAGE_IN; stage <= STAGE_OUT && !result; stage++)
            result = of_chunks[stage](run, chunk);
    return result;
}

static struct pipeline_run make_run(struct gpu *gpu, struct gpu_kernel *kernel)
{
    const struct launch_pipeline *pipeline = &kernel->launch.pipeline;
    return (struct pipeline_run){.gpu = gpu,
                                 .kernel = kernel,
                                 .pipeline = pipeline,
                                 .host = &gpu->pipeline.hosts[pipeline->host_memory],
                                 .chunks = (pipeline->total - 1) / pipeline->chunk_length + 1,
                                 .allocation = (enum device_allocation)pipeline->allocation,
                                 .places = gpu_own_places(gpu)};
}

static cudaError_t run_pipeline(struct gpu *gpu, struct gpu_kernel *kernel, bool checked)
{
    struct pipeline_run run = make_run(gpu, kernel);
    const struct launch_pipeline *pipeline = run.pipeline;
    bool overlapped = pipeline->placement == PLACEMENT_OVERLAPPED;
    cudaError_t result = allocate(&run);
    gpu->pipeline.dropped = !checked && run.allocation != ALLOCATION_REUSE;
    if (!result && checked)
        result = carry(&run, false);
    if (!overlapped)
        work_for(pipeline->host_work_ns);
    if (!result)
        result = fork_streams(&run);
    if (!result)
        result = queue_chunks(&run);
    if (overlapped)
        work_for(pipeline->host_work_ns);
    if (!result)
        result = unpack_all(&run);
    if (!result)
        result = join_streams(&run);
    if (!result && checked)
        result = carry(&run, true);
    /* cudaFree waits for the device; the pool's free waits in its stream, which waits for the others. */
    return release(&run, result);
}

/* ---- Around a run ---- */

static cudaError_t settle(struct gpu *gpu, struct gpu_kernel *kernel)
{
    const struct launch_pipeline *pipeline = &kernel->launch.pipeline;
    struct pipeline_run run = make_run(gpu, kernel);
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; is_managed(pipeline) && i < pipeline->copy_count && !result; i++)
        result = prefetch(run.host->regions[i], region_bytes(buffer_of(&run, i)), pipeline->copies[i].in, gpu->stream);
    return result ? result : cudaStreamSynchronize(gpu->stream);
}

/* ---- Stages alone ---- */

static bool has_stage(const struct launch *launch, enum gpu_stage stage)
{
    const struct launch_pipeline *pipeline = &launch->pipeline;
    bool copies = false;
    for (size_t i = 0; i < pipeline->copy_count; i++)
        copies |= pipeline->host_memory != HOST_MAPPED &&
                  (stage == STAGE_IN ? pipeline->copies[i].in : pipeline->copies[i].out);
    return stage == STAGE_ALLOCATE ? pipeline->allocation != ALLOCATION_REUSE : stage == STAGE_KERNEL || copies;
}

/* Runs all stages except STAGE_ALLOCATE on the buffers themselves. */
static cudaError_t run_stage(struct gpu *gpu, struct gpu_kernel *kernel, enum gpu_stage stage)
{
    struct pipeline_run run = make_run(gpu, kernel);
    if (stage == STAGE_ALLOCATE)
        return release(&run, allocate(&run));
    run.allocation = ALLOCATION_REUSE;
    cudaError_t result = allocate(&run);
    if (!result)
        result = fork_streams(&run);
    if (!result)
        result = queue_stage(&run, stage);
    if (!result && stage == STAGE_OUT)
        result = unpack_all(&run);
    return result ? result : join_streams(&run);
}

/* Leaves managed memory where the previous stage leaves it. */
static cudaError_t settle_stage(struct gpu *gpu, struct gpu_kernel *kernel, enum gpu_stage stage)
{
    cudaError_t result = settle(gpu, kernel);
    if (!result && stage > STAGE_IN && is_managed(&kernel->launch.pipeline))
        result = run_stage(gpu, kernel, STAGE_IN);
    return result ? result : cudaStreamSynchronize(gpu->stream);
}

static cudaError_t make_events(struct gpu *gpu, const struct launch_pipeline *pipeline, uint64_t chunks)
{
    cudaError_t result = cudaSuccess;
    for (uint64_t chunk = 0; pipeline->packed && chunk < chunks && !result; chunk++)
        if (!gpu->pipeline.arrived[chunk])
            result = cudaEventCreateWithFlags(&gpu->pipeline.arrived[chunk], cudaEventDisableTiming);
    return result;
}

/* Copies the buffers with their guards to the host. */
static cudaError_t fill_regions(struct pipeline_run *run)
{
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < run->pipeline->copy_count && !result; i++)
        result = cudaMemcpyAsync(run->host->regions[i], buffer_of(run, i)->data - GUARD_BYTES,
                                 region_bytes(buffer_of(run, i)), cudaMemcpyDefault, run->gpu->stream);
    return result ? result : cudaStreamSynchronize(run->gpu->stream);
}

static cudaError_t restore(struct gpu *gpu, struct gpu_kernel *kernel)
{
    struct pipeline_run run = make_run(gpu, kernel);
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < run.pipeline->copy_count && !result; i++) {
        const struct gpu_buffer *buffer = buffer_of(&run, i);
        if (buffer->role == BUFFER_INOUT)
            result = cudaMemcpyAsync(run.host->regions[i] + GUARD_BYTES, buffer->data, (size_t)buffer->bytes,
                                     cudaMemcpyDefault, gpu->stream);
    }
    return result;
}

static cudaError_t open_pipeline(struct gpu *gpu, struct gpu_kernel *kernel)
{
    struct pipeline_run run = make_run(gpu, kernel);
    bool made = false;
    cudaError_t result = make_streams(gpu, run.pipeline->streams);
    if (!result)
        result = make_events(gpu, run.pipeline, run.chunks);
    if (!result)
        result = gpu_host_make(gpu, run.pipeline, &made);
    return result || !made ? result : fill_regions(&run);
}

static int prepare(struct gpu *gpu, struct gpu_kernel *kernel, struct error *error)
{
    struct pipeline_run run = make_run(gpu, kernel);
    const struct launch_pipeline *pipeline = run.pipeline;
    int code = gpu_check(fill_regions(&run), "copying the buffers to the host", error);
    for (size_t i = 0; i < pipeline->copy_count && !code; i++) {
        struct gpu_buffer *buffer = buffer_of(&run, i);
        if (run.host->staging[i]) /* data of the previous run would pass as the expected data */
            memset(run.host->staging[i], 0, (size_t)buffer->bytes);
        if (pipeline->copies[i].in) /* data that the transfers do not overwrite stays wrong */
            code = gpu_poison(gpu, buffer, buffer->data, buffer->data, error);
    }
    return code ? code : gpu_check(settle(gpu, kernel), "preparing host memory", error);
}

static int collect(struct gpu *gpu, struct gpu_kernel *kernel, bool failed, struct error *error)
{
    struct pipeline_run run = make_run(gpu, kernel);
    const struct launch_pipeline *pipeline = run.pipeline;
    int code = 0;
    for (size_t i = 0; i < pipeline->copy_count && !code; i++) {
        struct gpu_buffer *buffer = buffer_of(&run, i);
        unsigned char *from = run.host->regions[i], *to = buffer->data - GUARD_BYTES;
        size_t bytes = region_bytes(buffer);
        if (!in_place(pipeline) && !failed) { /* guards and inputs are judged on the device, unless they are gone */
            from += GUARD_BYTES;
            to += GUARD_BYTES;
            bytes = pipeline->copies[i].out || gpu->pipeline.dropped ? (size_t)buffer->bytes : 0;
        }
        if (bytes)
            code = gpu_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, gpu->stream),
                             "copying a buffer from the host", error);
    }
    return code ? code : gpu_check(cudaStreamSynchronize(gpu->stream), "copying a buffer from the host", error);
}

/* ---- As a technique ---- */

static bool used(const struct launch *launch)
{
    return launch->pipeline.total > 0;
}

/* Makes the pool keep its memory between runs, as users of pools do. By default the pool releases memory at every
 * synchronisation. */
static cudaError_t keep_pool(bool keep)
{
    int device = 0;
    cudaMemPool_t pool = NULL;
    uint64_t threshold = keep ? UINT64_MAX : 0;
    cudaError_t result = cudaGetDevice(&device);
    if (!result)
        result = cudaDeviceGetDefaultMemPool(&pool, device);
    if (!result)
        result = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
    if (!result && !keep)
        result = cudaMemPoolTrimTo(pool, 0);
    return result;
}

static cudaError_t enter(struct gpu *gpu, struct gpu_kernel *kernel)
{
    cudaError_t result = open_pipeline(gpu, kernel);
    return !result && kernel->launch.pipeline.allocation == ALLOCATION_POOL ? keep_pool(true) : result;
}

static cudaError_t leave(struct gpu *gpu, struct gpu_kernel *kernel)
{
    (void)gpu;
    return kernel->launch.pipeline.allocation == ALLOCATION_POOL ? keep_pool(false) : cudaSuccess;
}

static const void *argument(const struct gpu_kernel *kernel, const struct launch_argument *argument,
                            const struct gpu_part *part)
{
    (void)kernel;
    return argument->role == ARGUMENT_CHUNK_OFFSET   ? &part->offset
           : argument->role == ARGUMENT_CHUNK_LENGTH ? &part->length
                                                     : NULL;
}

static const struct gpu_way way = {.prepare = prepare,
                                   .run = run_pipeline,
                                   .collect = collect,
                                   .restore = restore,
                                   .settle = settle,
                                   .has_stage = has_stage,
                                   .run_stage = run_stage,
                                   .settle_stage = settle_stage};

const struct gpu_technique gpu_technique_pipeline = {
    .used = used, .argument = argument, .enter = enter, .leave = leave, .way = &way};
