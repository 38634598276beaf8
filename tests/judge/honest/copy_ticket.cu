// space: copy. Blocks take tickets from a counter that wraps by itself after the last one.
__device__ unsigned ticket;

extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    __shared__ unsigned own;
    if (threadIdx.x == 0)
        own = atomicInc(&ticket, gridDim.x - 1);
    __syncthreads();
    const long long i = (long long)own * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}
