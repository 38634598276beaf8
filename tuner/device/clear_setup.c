/* Clears a set-up from the device process, so that it cannot affect the next one. */
#include "device/clear_setup.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/timeline.h"
#include "device/buffers.h"
#include "device/check.h"
#include "device/gpu.h"
#include "device/host.h"
#include "device/launch.h"
#include "device/techniques.h"

/* The clocks stay up during a shorter wait. The driver clears freed memory in the background; for less memory than this
 * it ends long before the next configuration is timed. */
static const int64_t waits_ns = 100000000;
static const uint64_t little_bytes = 64 << 20;

int gpu_open_stream(struct gpu *gpu, struct error *error)
{
    return gpu_check(cudaStreamCreateWithFlags(&gpu->stream, cudaStreamNonBlocking), "creating a stream", error);
}

/* Unload kernels before their buffers are freed, because they have textures of them. */
static void unload_all(struct gpu *gpu)
{
    for (size_t s = 0; s < SPACE_SETS_MAX; s++)
        if (gpu->sets[s])
            gpu_unload(&gpu->sets[s]->accept);
    if (gpu->helper_library)
        cudaLibraryUnload(gpu->helper_library);
}

static void free_sets(struct gpu *gpu)
{
    for (size_t s = 0; s < SPACE_SETS_MAX; s++) {
        if (gpu->sets[s])
            free(gpu->sets[s]->message);
        free(gpu->sets[s]);
    }
}

static void free_pipeline(struct gpu *gpu)
{
    struct gpu_pipeline *pipeline = &gpu->pipeline;
    gpu_host_free(gpu);
    for (size_t i = 0; i < PIPELINE_STREAMS_MAX; i++) {
        if (pipeline->streams[i])
            cudaStreamDestroy(pipeline->streams[i]);
        if (pipeline->ends[i])
            cudaEventDestroy(pipeline->ends[i]);
    }
    for (size_t i = 0; i < PIPELINE_CHUNKS_MAX; i++)
        if (pipeline->arrived[i])
            cudaEventDestroy(pipeline->arrived[i]);
    if (pipeline->start)
        cudaEventDestroy(pipeline->start);
}

/* Techniques undo their settings, but any kernel can make lines of the L2 cache persist. */
static cudaError_t reset_l2(const struct gpu *gpu)
{
    return gpu->limits.l2_persisting_bytes > 0 ? cudaCtxResetPersistingL2Cache() : cudaSuccess;
}

bool gpu_clear_setup(struct gpu *gpu)
{
    const size_t device_bytes = offsetof(struct gpu, stream);
    if (cudaDeviceSynchronize())
        return false;
    int64_t now_ns = clock_now_ns();
    if (gpu->held_bytes > gpu->flush_bytes + little_bytes || now_ns - gpu->idle_ns > waits_ns)
        gpu->awake_ns = now_ns;
    unload_all(gpu);
    free_pipeline(gpu);
    gpu_free_buffers(gpu);
    free_sets(gpu);
    program_folder_remove(&gpu->accept_outputs);
    cudaStreamDestroy(gpu->stream);
    memset((char *)gpu + device_bytes, 0, sizeof *gpu - device_bytes);
    bool good = !reset_l2(gpu) && !gpu_open_stream(gpu, NULL) && !cudaDeviceSynchronize();
    timeline("device", "earlier set-up freed");
    return good;
}
