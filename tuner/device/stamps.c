#include "device/stamps.h"

#include "device/buffers.h"
#include "device/gpu.h"

/* The stamps' own launches take some microseconds, and a timer may advance in steps of one. */
static const double allowed_share = 0.25, allowed_ns = 20000;

static unsigned long long *word(struct gpu_verdict *verdicts, size_t number)
{
    return &verdicts[GPU_STAMPS].different + number;
}

cudaError_t gpu_queue_stamp(struct gpu *gpu, size_t number)
{
    void *place = word(gpu->verdicts, number);
    void *arguments[] = {&place};
    const cudaLaunchConfig_t config = {.gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}, .stream = gpu->stream};
    return cudaLaunchKernelExC(&config, (const void *)gpu->helpers[HELPER_STAMP], arguments);
}

cudaError_t gpu_check_stamps(struct gpu *gpu, double events_ns)
{
    cudaError_t result = cudaMemcpyAsync(&gpu->judged[GPU_STAMPS], &gpu->verdicts[GPU_STAMPS], sizeof *gpu->judged,
                                         cudaMemcpyDeviceToHost, gpu->stream);
    if (!result)
        result = cudaStreamSynchronize(gpu->stream);
    const double stamps_ns = (double)(*word(gpu->judged, 1) - *word(gpu->judged, 0));
    gpu->stamps.samples++;
    gpu->stamps.longer += stamps_ns > events_ns * (1 + allowed_share) + allowed_ns;
    return result;
}

bool gpu_stamps_doubt(const struct gpu_stamps *stamps)
{
    return stamps->samples && 2 * stamps->longer >= stamps->samples;
}
