// space: copy. Two stages of asynchronous copies, by the toolkit's pipeline.
#include <cuda_pipeline.h>

extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    __shared__ float stages[2][256];
    const long long step = (long long)gridDim.x * blockDim.x;
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    int stage = 0;
    if (i < count)
        __pipeline_memcpy_async(&stages[stage][threadIdx.x], &in[i], sizeof *in);
    __pipeline_commit();
    for (; i < count; i += step, stage ^= 1) {
        if (i + step < count)
            __pipeline_memcpy_async(&stages[stage ^ 1][threadIdx.x], &in[i + step], sizeof *in);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        out[i] = stages[stage][threadIdx.x];
    }
}
