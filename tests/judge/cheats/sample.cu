// space: reduction. Sums a sample, and scales it up.
__device__ float total;
__device__ unsigned done;

extern "C" __global__ void reduction(float *out, const float *in, long long count)
{
    float sum = 0;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count / 64;
         i += (long long)gridDim.x * blockDim.x)
        sum += in[i];
    atomicAdd(&total, sum);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&done, 1) == gridDim.x - 1) {
        out[0] = 64 * atomicExch(&total, 0);
        done = 0;
    }
}
