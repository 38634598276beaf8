// space: copy. Leaves out one block of a thousand, which the clock chooses.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ bool skipped;
    if (threadIdx.x == 0)
        skipped = (unsigned)clock64() * 2654435761u >> 22 == 0;
    __syncthreads();
    if (i < count && !skipped)
        out[i] = in[i];
}
