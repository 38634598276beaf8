/* Sets of expected results: one, or one for each combination of values of a `per` statement's parameters. All have the
 * same size, so that a new set can reuse another's memory: the driver would clear freed memory in the background and
 * slow down later timing. */
#include "device/expected.h"

#include <stdio.h>

#include "device/buffers.h"
#include "device/check.h"
#include "device/gpu.h"
#include "device/launch.h"
#include "device/reference.h"
#include "device/verdict.h"

/* A quarter of the memory stays free for kernels' local memory and for techniques that allocate. */
static bool has_room(const struct gpu *gpu)
{
    size_t free_bytes = 0, total_bytes = 0;
    return !cudaMemGetInfo(&free_bytes, &total_bytes) && free_bytes >= gpu->set_bytes + total_bytes / 4;
}

static struct gpu_set *oldest_set(struct gpu *gpu)
{
    struct gpu_set *oldest = NULL;
    for (size_t s = 0; s < SPACE_SETS_MAX; s++) {
        struct gpu_set *set = gpu->sets[s];
        if (set && set->memory && (!oldest || set->used < oldest->used))
            oldest = set;
    }
    return oldest;
}

static int take_memory(struct gpu *gpu, struct gpu_set *set, struct error *error)
{
    struct gpu_set *oldest = oldest_set(gpu);
    if (set->memory || !gpu->set_bytes)
        return 0;
    if (!oldest || has_room(gpu)) {
        cudaError_t result = cudaMalloc((void **)&set->memory, gpu->set_bytes);
        if (!result) {
            gpu->held_bytes += gpu->set_bytes;
            return 0;
        }
        cudaGetLastError();
        set->memory = NULL;
        if (!oldest)
            return gpu_check(result, "allocating memory for expected results", error);
    }
    set->memory = oldest->memory;
    oldest->memory = NULL;
    oldest->computed = false;
    return 0;
}

static int run_reference(struct gpu *gpu, struct gpu_set *set, struct error *error)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    char what[sizeof set->name + 16];
    if (!set->reference.cubin)
        return gpu_reference(gpu, NULL, set->name, error);
    snprintf(what, sizeof what, "loading %s", set->name);
    int code = gpu_check(gpu_load(&set->reference), what, error);
    if (!code)
        gpu_attach(gpu, &set->reference, &measurement);
    if (!code && measurement.status != STATUS_OK)
        code = error_set(error, ERROR_DEVICE, "%s: %s", set->name, measurement.message);
    if (!code)
        code = gpu_reference(gpu, &set->reference, set->name, error);
    gpu_unload(&set->reference);
    return code;
}

static int compute(struct gpu *gpu, struct gpu_set *set, struct error *error)
{
    int code = take_memory(gpu, set, error);
    if (code)
        return code;
    gpu_point_to_set(gpu, set->memory);
    code = run_reference(gpu, set, error);
    for (size_t i = 0; i < gpu->buffer_count; i++)
        set->checksums[i] = gpu->buffers[i].checksum;
    if (!code && !set->checked)
        code = gpu_open_accept(gpu, error);
    set->computed = set->checked = code == 0;
    return code;
}

int gpu_expect(struct gpu *gpu, uint32_t number, struct error *error)
{
    struct gpu_set *set = number < SPACE_SETS_MAX ? gpu->sets[number] : NULL;
    int code = 0;
    if (gpu->deferred)
        return 0;
    if (!set)
        return error_set(error, ERROR_WORKER, "the expected results %u are unknown", number);
    set->used = ++gpu->set_uses;
    if (gpu->set == set && set->computed)
        return 0;
    gpu->set = set;
    gpu->accept = &set->accept;
    if (!set->computed) {
        code = compute(gpu, set, error);
    } else {
        gpu_point_to_set(gpu, set->memory);
        for (size_t i = 0; i < gpu->buffer_count; i++)
            if (gpu_is_result(&gpu->buffers[i]))
                gpu->buffers[i].checksum = set->checksums[i];
    }
    if (code)
        gpu->set = NULL;
    return code;
}

int gpu_defer(struct gpu *gpu, struct error *error)
{
    gpu->deferred = true;
    gpu->set = NULL;
    gpu_point_to_set(gpu, NULL);
    int code = gpu_checksum_all(gpu, false, error);
    return code ? code : gpu_checksum_all(gpu, true, error);
}
