/* Fills the buffers: with cutune's own kernels, from files, or with the space's kernels. */
#include "device/fill.h"

#include <stdio.h>

#include "device/buffers.h"
#include "device/check.h"
#include "device/gpu.h"
#include "device/launch.h"
#include "device/special.h"
#include "device/verdict.h"

/* The kernel may read the buffers declared before this one, which are already filled. */
static int fill_by_kernel(struct gpu *gpu, const struct gpu_buffer *buffer, struct gpu_kernel *kernel,
                          struct error *error)
{
    char what[256], who[256];
    snprintf(what, sizeof what, "filling the buffer %.64s with the kernel %.128s", buffer->name, kernel->names);
    snprintf(who, sizeof who, "the kernel %.128s, which fills the buffer %.64s,", kernel->names, buffer->name);
    int code = gpu_check(gpu_load(kernel), what, error);
    if (!code)
        code = gpu_check(gpu_launch(gpu, kernel), what, error);
    if (!code)
        code = gpu_check(cudaStreamSynchronize(gpu->stream), what, error);
    if (!code)
        code = gpu_check_guards(gpu, who, error);
    gpu_unload(kernel);
    return code;
}

/* Returns the kernel of a buffer with FILL_KERNEL. */
static struct gpu_kernel *fill_kernel(struct gpu *gpu, const struct gpu_buffer *buffer)
{
    size_t before = 0;
    for (const struct gpu_buffer *other = gpu->buffers; other < buffer; other++)
        before += other->fill == FILL_KERNEL;
    return &gpu->fills[before];
}

static int fill(struct gpu *gpu, struct gpu_buffer *buffer, struct error *error)
{
    unsigned long long count = buffer->count,
                       seed = gpu->seed + (uint64_t)(buffer - gpu->buffers) * 0x632be59bd9b4e019u;
    int scalar = (int)buffer->scalar, number = (int)buffer->fill, ranged = buffer->range.given;
    unsigned long long low = buffer->range.low, high = buffer->range.high;
    void *arguments[] = {&buffer->data, &count, &scalar, &number, &seed, &ranged, &low, &high};
    if (buffer->fill == FILL_NONE)
        return 0;
    return buffer->fill == FILL_FILE
               ? gpu_read_file(gpu, buffer, buffer->path, buffer->offset, buffer->bytes, buffer->data, error)
           : buffer->fill == FILL_KERNEL ? fill_by_kernel(gpu, buffer, fill_kernel(gpu, buffer), error)
                                         : gpu_helper(gpu, HELPER_FILL, count, arguments, error);
}

int gpu_fill_all(struct gpu *gpu, struct error *error)
{
    /* One stream orders all work, because it and the legacy stream do not wait for each other. */
    int code =
        gpu_check(cudaMemsetAsync(gpu->tested, CANARY, gpu->tested_bytes, gpu->stream), "filling the buffers", error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        code = gpu_check(gpu_queue_guards(gpu, &gpu->buffers[i], NULL), "writing the guards", error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        code = fill(gpu, buffer, error);
        if (!code)
            code = gpu_make_special(gpu, buffer, error);
        if (!code && buffer->initial)
            code = gpu_check(
                cudaMemcpyAsync(buffer->initial, buffer->data, buffer->bytes, cudaMemcpyDeviceToDevice, gpu->stream),
                "keeping a buffer's contents", error);
    }
    return code ? code : gpu_check(cudaStreamSynchronize(gpu->stream), "filling the buffers", error);
}
