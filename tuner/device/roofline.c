/* Measures the ceilings of the roofline with kernels that load one resource each (roofline.cu). */
#include "device/roofline.h"

#include <math.h>

#include "base/timeline.h"
#include "device/check.h"
#include "device/gpu.h"
#include "device/measure.h"

enum { THREADS = 256, THREADS_SM = 1024, WARP = 32, VECTOR_BYTES = 16, VECTORS = 4, MATRIX_OPERATIONS = 65536 };
static const int64_t timeout_ns = 1000000000;

/* Work of a thread and round, except for l2, whose round reads the data once. All rounds together take about 0.1 ms. */
enum kind { KIND_L2, KIND_SHARED, KIND_ISSUE, KIND_FMA, KIND_TENSOR, KINDS };
static const struct row {
    const char *kernel;
    uint32_t rounds;
    double work; /* of a thread and round; 0: the bytes of the data, for all threads together */
    size_t offset;
} rows[KINDS] = {
    [KIND_L2] = {"roofline_l2", 32, 0, offsetof(struct roofline, l2)},
    [KIND_SHARED] = {"roofline_shared", 512, VECTORS *VECTOR_BYTES, offsetof(struct roofline, shared)},
    [KIND_ISSUE] = {"roofline_issue", 512, 32.0 / WARP, offsetof(struct roofline, issue)},
    [KIND_FMA] = {"roofline_fma", 1024, 2 * 16, offsetof(struct roofline, fma)},
    [KIND_TENSOR] = {"roofline_tensor", 512, (double)MATRIX_OPERATIONS / WARP, offsetof(struct roofline, tensor)},
};

struct run {
    cudaKernel_t kernel;
    unsigned blocks;
    void **arguments;
};

static cudaError_t queue_kernel(struct gpu *gpu, void *context)
{
    const struct run *run = context;
    const cudaLaunchConfig_t launch = {
        .gridDim = {run->blocks, 1, 1}, .blockDim = {THREADS, 1, 1}, .stream = gpu->stream};
    return cudaLaunchKernelExC(&launch, (const void *)run->kernel, run->arguments);
}

/* Returns the number of vectors that fill a quarter of the L2, in whole steps of all threads, at least one. A quarter,
 * because an L2 of two halves may hold the data twice. */
static uint32_t vectors(const struct gpu *gpu, unsigned blocks)
{
    uint64_t step = (uint64_t)blocks * THREADS * VECTORS;
    uint64_t steps = (uint64_t)gpu->limits.l2_bytes / 4 / VECTOR_BYTES / step;
    return (uint32_t)(step * (steps ? steps : 1));
}

static cudaError_t measure(struct gpu *gpu, cudaLibrary_t library, const struct row *row, double *rate)
{
    static const float a = 0.999f, b = 0.001f;
    static const uint32_t y = 0x55555555, z = 3;
    unsigned blocks = (unsigned)gpu->limits.sm_count * (THREADS_SM / THREADS);
    uint32_t rounds = row->rounds, count = vectors(gpu, blocks);
    void *data = NULL, *out = gpu->verdicts; /* never written */
    struct measurement measurement = measurement_unknown(STATUS_OK);
    void *arguments[KINDS][6] = {[KIND_L2] = {&data, &count, &rounds, &out},
                                 [KIND_SHARED] = {&rounds, &out},
                                 [KIND_ISSUE] = {&rounds, (void *)&a, (void *)&b, (void *)&y, (void *)&z, &out},
                                 [KIND_FMA] = {&rounds, (void *)&a, (void *)&b, &out},
                                 [KIND_TENSOR] = {&rounds, &out}};
    struct run run = {.blocks = blocks, .arguments = arguments[row - rows]};
    const struct gpu_timed timed = {.queue = queue_kernel, .context = &run, .warm = true};
    size_t bytes = (size_t)count * VECTOR_BYTES;
    cudaError_t result = cudaLibraryGetKernel(&run.kernel, library, row->kernel);
    if (!result && row->work == 0)
        result = cudaMalloc(&data, bytes);
    if (!result && data)
        result = cudaMemsetAsync(data, 0, bytes, gpu->stream);
    if (!result)
        result = gpu_sample(gpu, &timed, gpu_no_incumbent, timeout_ns, &measurement);
    cudaFree(data);
    double work = row->work > 0 ? row->work * blocks * THREADS : (double)bytes;
    if (!result)
        *rate = rounds * work / measurement.value * 1e9;
    return result;
}

int gpu_measure_roofline(struct gpu *gpu, const void *cubin, struct roofline *roofline, struct error *error)
{
    cudaLibrary_t library = NULL;
    *roofline = roofline_unknown;
    cudaError_t result = cudaLibraryLoadData(&library, cubin, NULL, NULL, 0, NULL, NULL, 0);
    for (int kind = 0; kind < KINDS && !result; kind++) {
        if (kind == KIND_TENSOR && gpu->limits.cc < 80)
            continue;
        result = measure(gpu, library, &rows[kind], (double *)((char *)roofline + rows[kind].offset));
        if (result == cudaErrorMemoryAllocation) /* unknown: others hold the memory */
            result = cudaGetLastError() == cudaErrorMemoryAllocation ? cudaSuccess : result;
    }
    if (library)
        cudaLibraryUnload(library);
    timeline("device", "roofline measured");
    return gpu_check(result, "measuring the ceilings of the roofline", error);
}
