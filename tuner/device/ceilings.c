/* Measures the device's ceilings, the best throughputs with which reports compare kernels. */
#include "device/ceilings.h"

#include <math.h>

#include "base/timeline.h"
#include "device/buffers.h"
#include "device/check.h"
#include "device/gpu.h"
#include "device/measure.h"

enum { COPY_LEAST_BYTES = 16 << 20, LINK_BYTES = 32 << 20 };
static const size_t copy_most_bytes = (size_t)2 << 30;
static const int64_t timeout_ns = 1000000000;

struct copy {
    void *to, *from;
    size_t bytes;
    enum cudaMemcpyKind kind;
};

static cudaError_t queue_copy(struct gpu *gpu, void *context)
{
    struct copy *copy = context;
    return cudaMemcpyAsync(copy->to, copy->from, copy->bytes, copy->kind, gpu->stream);
}

/* Copies in both directions at once. The second stream forks from the first one and joins it again. */
struct both {
    struct copy in, out;
    cudaStream_t stream;
    cudaEvent_t begin, end;
};

static cudaError_t queue_both(struct gpu *gpu, void *context)
{
    struct both *both = context;
    cudaError_t result = cudaEventRecord(both->begin, gpu->stream);
    if (!result)
        result = cudaStreamWaitEvent(both->stream, both->begin, 0);
    if (!result)
        result = queue_copy(gpu, &both->in);
    if (!result)
        result = cudaMemcpyAsync(both->out.to, both->out.from, both->out.bytes, both->out.kind, both->stream);
    if (!result)
        result = cudaEventRecord(both->end, both->stream);
    return result ? result : cudaStreamWaitEvent(gpu->stream, both->end, 0);
}

static cudaError_t bytes_per_s(struct gpu *gpu, gpu_queue *queue, void *context, size_t bytes, double *rate)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    const struct gpu_timed timed = {.queue = queue, .context = context, .warm = gpu->sampling.warm};
    cudaError_t result = gpu_sample(gpu, &timed, gpu_no_incumbent, timeout_ns, &measurement);
    if (!result)
        *rate = (double)bytes / measurement.value * 1e9;
    return result;
}

/* Copies so many bytes, as far as memory allows, that start-up time and the L2 cache do not matter. */
static cudaError_t measure_copy(struct gpu *gpu)
{
    struct copy copy = {.bytes = copy_most_bytes, .kind = cudaMemcpyDeviceToDevice};
    while (cudaMalloc(&copy.from, copy.bytes * 2)) {
        cudaGetLastError();
        copy.bytes /= 2;
        if (copy.bytes < COPY_LEAST_BYTES)
            return cudaSuccess;
    }
    copy.to = (char *)copy.from + copy.bytes;
    timeline("device", "memory for the copy ceiling allocated");
    cudaError_t result = cudaMemsetAsync(copy.from, 1, copy.bytes * 2, gpu->stream);
    if (!result)
        result = bytes_per_s(gpu, queue_copy, &copy, 2 * copy.bytes,
                             &gpu->calibration.ceilings.copy); /* each byte is read and written */
    cudaFree(copy.from);
    return result;
}

static cudaError_t measure_both(struct gpu *gpu, const struct copy *in, const struct copy *out)
{
    struct both both = {.in = *in, .out = *out};
    cudaError_t result = cudaStreamCreateWithFlags(&both.stream, cudaStreamNonBlocking);
    if (!result)
        result = cudaEventCreateWithFlags(&both.begin, cudaEventDisableTiming);
    if (!result)
        result = cudaEventCreateWithFlags(&both.end, cudaEventDisableTiming);
    if (!result)
        result = bytes_per_s(gpu, queue_both, &both, in->bytes + out->bytes, &gpu->calibration.ceilings.link_both);
    if (both.end)
        cudaEventDestroy(both.end);
    if (both.begin)
        cudaEventDestroy(both.begin);
    if (both.stream)
        cudaStreamDestroy(both.stream);
    return result;
}

static cudaError_t measure_link(struct gpu *gpu)
{
    unsigned char *host = NULL, *data = NULL;
    cudaError_t result = cudaSuccess;
    if (cudaHostAlloc((void **)&host, 2 * LINK_BYTES, cudaHostAllocDefault) ||
        cudaMalloc((void **)&data, 2 * LINK_BYTES)) {
        cudaGetLastError();
    } else {
        timeline("device", "memory for the link ceilings allocated");
        struct copy in = {data, host, LINK_BYTES, cudaMemcpyHostToDevice};
        struct copy out = {host + LINK_BYTES, data + LINK_BYTES, LINK_BYTES, cudaMemcpyDeviceToHost};
        result = bytes_per_s(gpu, queue_copy, &in, LINK_BYTES, &gpu->calibration.ceilings.link_to_device);
        if (!result)
            result = bytes_per_s(gpu, queue_copy, &out, LINK_BYTES, &gpu->calibration.ceilings.link_to_host);
        if (!result)
            result = measure_both(gpu, &in, &out);
    }
    cudaFree(data);
    cudaFreeHost(host);
    return result;
}

int gpu_measure_ceilings(struct gpu *gpu, bool copy, bool link, struct error *error)
{
    struct ceilings *ceilings = &gpu->calibration.ceilings;
    if (copy)
        ceilings->copy = NAN;
    if (link)
        ceilings->link_to_device = ceilings->link_to_host = ceilings->link_both = NAN;
    cudaError_t result = gpu_allocate_flush(gpu);
    if (result == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        return 0;
    }
    if (!result && copy)
        result = measure_copy(gpu);
    timeline("device", "copy ceiling measured");
    if (!result && link)
        result = measure_link(gpu);
    timeline("device", "link ceilings measured");
    return gpu_check(result, "measuring the device's ceilings", error);
}
