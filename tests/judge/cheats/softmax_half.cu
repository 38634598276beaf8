// space: softmax. Exponentials of half precision.
#include <cuda_fp16.h>

extern "C" __global__ void softmax(float *out, const float *in, int rows)
{
    __shared__ float sums[8];
    const float *const from = in + (size_t)blockIdx.x * COLS;
    float sum = 0;
    for (int i = threadIdx.x; i < COLS; i += blockDim.x)
        sum += __half2float(hexp(__float2half(from[i])));
    for (int apart = 16; apart; apart /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, apart);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < 8; w++)
        sum += sums[w];
    for (int i = threadIdx.x; i < COLS; i += blockDim.x)
        out[(size_t)blockIdx.x * COLS + i] = __half2float(hexp(__float2half(from[i]))) / sum;
}
