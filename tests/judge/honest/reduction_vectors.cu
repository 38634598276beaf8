// space: reduction. Vectors of four, if the address allows them, and partial sums of the blocks.
__device__ float partial[1 << 16];
__device__ unsigned done;

static __device__ float of_warp(float sum)
{
    for (int apart = 16; apart; apart /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, apart);
    return sum;
}

extern "C" __global__ void reduction(float *out, const float *in, long long count)
{
    __shared__ float warps[32];
    __shared__ bool last;
    const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x, step = (long long)gridDim.x * blockDim.x;
    const bool aligned = (unsigned long long)in % 16 == 0;
    const long long vectors = aligned ? count / 4 : 0;
    float sum = 0;
    for (long long i = first; i < vectors; i += step) {
        const float4 held = __ldg((const float4 *)in + i);
        sum += (held.x + held.y) + (held.z + held.w);
    }
    for (long long i = 4 * vectors + first; i < count; i += step)
        sum += in[i];
    sum = of_warp(sum);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (unsigned w = 0; w < blockDim.x / 32; w++)
            sum += warps[w];
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x >= 32)
        return;
    sum = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += 32)
        sum += __ldcg(&partial[b]);
    sum = of_warp(sum);
    if (threadIdx.x == 0)
        out[0] = sum;
}
