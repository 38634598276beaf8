// space: reduction. Compensated sums of each thread.
__device__ double total;
__device__ unsigned done;

extern "C" __global__ void reduction(float *out, const float *in, long long count)
{
    float sum = 0, lost = 0;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (long long)gridDim.x * blockDim.x) {
        const float value = in[i] - lost, next = sum + value;
        lost = (next - sum) - value;
        sum = next;
    }
    double exact = (double)sum - lost;
    for (int step = 16; step; step /= 2)
        exact += __shfl_down_sync(0xffffffff, exact, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&total, exact);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && atomicInc(&done, gridDim.x - 1) == gridDim.x - 1) {
        out[0] = (float)*(volatile double *)&total;
        total = 0;
    }
}
