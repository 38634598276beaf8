// space: copy. Garbage from shared memory that nobody wrote.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float garbage[1024];
    if (i < count)
        out[i] = garbage[threadIdx.x % 1024];
}
