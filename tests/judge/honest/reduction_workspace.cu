// space: reduction. Partial sums in a workspace, as split-K kernels have.
__device__ float partial[1 << 16];
__device__ unsigned done;

extern "C" __global__ void reduction(float *out, const float *in, long long count)
{
    __shared__ float sums[1024];
    __shared__ bool last;
    float sum = 0;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (long long)gridDim.x * blockDim.x)
        sum += in[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half; half /= 2) {
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sums[0];
        __threadfence();
        last = atomicAdd(&done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        double all = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            all += ((volatile float *)partial)[b];
        out[0] = (float)all;
        done = 0;
    }
}
