// space: reduction. Atomic additions in any order, and counters that are reset.
__device__ float total;
__device__ unsigned done;

extern "C" __global__ void reduction(float *out, const float *in, long long count)
{
    float sum = 0;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (long long)gridDim.x * blockDim.x)
        sum += in[i];
    for (int step = 16; step; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&total, sum);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&done, 1) == gridDim.x - 1) {
        out[0] = atomicExch(&total, 0);
        done = 0;
    }
}
