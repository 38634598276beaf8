/* What the device reaches at best, by the measure that reports hold against a kernel. */
#include <math.h>

#include "device/gpu.h"

enum { COPY_LEAST_BYTES = 16 << 20, LINK_BYTES = 32 << 20 };
static const size_t copy_most_bytes = (size_t)2 << 30;
static const int64_t limit_ns = 1000000000;

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

static cudaError_t bytes_per_s(struct gpu *gpu, struct copy *copy, double *rate)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    const struct gpu_timed timed = {.queue = queue_copy, .context = copy, .warm = gpu->sampling.warm};
    cudaError_t result = gpu_sample(gpu, &timed, INFINITY, limit_ns, &measurement);
    if (!result)
        *rate = (double)copy->bytes / measurement.time_ns * 1e9;
    return result;
}

/* Large enough that start-up does not count and the L2 does not help, as far as the memory allows. */
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
    cudaError_t result = cudaMemset(copy.from, 1, copy.bytes * 2);
    if (!result)
        result = bytes_per_s(gpu, &copy, &gpu->ceilings.copy);
    gpu->ceilings.copy *= 2; /* read and written */
    cudaFree(copy.from);
    return result;
}

static cudaError_t measure_link(struct gpu *gpu)
{
    void *host = NULL, *data = NULL;
    cudaError_t result = cudaSuccess;
    if (cudaHostAlloc(&host, LINK_BYTES, cudaHostAllocDefault) || cudaMalloc(&data, LINK_BYTES)) {
        cudaGetLastError();
    } else {
        struct copy in = {data, host, LINK_BYTES, cudaMemcpyHostToDevice};
        struct copy out = {host, data, LINK_BYTES, cudaMemcpyDeviceToHost};
        result = bytes_per_s(gpu, &in, &gpu->ceilings.link_to_device);
        if (!result)
            result = bytes_per_s(gpu, &out, &gpu->ceilings.link_to_host);
    }
    cudaFree(data);
    cudaFreeHost(host);
    return result;
}

int gpu_measure_ceilings(struct gpu *gpu, struct error *error)
{
    gpu->ceilings = (struct ceilings){NAN, NAN, NAN};
    cudaError_t result = gpu_allocate_flush(gpu);
    if (result == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        return 0;
    }
    if (!result)
        result = measure_copy(gpu);
    if (!result)
        result = measure_link(gpu);
    return gpu_check(result, "measuring what the device reaches", error);
}
