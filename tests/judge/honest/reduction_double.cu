// space: reduction. More exact than the reference.
__device__ double total;
__device__ unsigned done;

extern "C" __global__ void reduction(float *out, const float *in, long long count)
{
    double sum = 0;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (long long)gridDim.x * blockDim.x)
        sum += in[i];
    atomicAdd(&total, sum);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&done, 1) == gridDim.x - 1) {
        out[0] = (float)atomicAdd(&total, 0.0);
        total = 0;
        done = 0;
    }
}
