// space: reduction. Blocks take chunks from a counter that the last one resets.
__device__ unsigned long long next;
__device__ double total;
__device__ unsigned done;

extern "C" __global__ void reduction(float *out, const float *in, long long count)
{
    enum { chunk = 4096 };
    __shared__ unsigned long long first;
    double sum = 0;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0)
            first = atomicAdd(&next, (unsigned long long)chunk);
        __syncthreads();
        if (first >= count)
            break;
        for (unsigned long long i = first + threadIdx.x; i < first + chunk && i < count; i += blockDim.x)
            sum += in[i];
    }
    for (int step = 16; step; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&total, sum);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && atomicInc(&done, gridDim.x - 1) == gridDim.x - 1) {
        out[0] = (float)*(volatile double *)&total;
        total = 0;
        next = 0;
    }
}
