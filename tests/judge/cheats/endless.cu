// space: copy. Never ends.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (volatile int forever = 1; forever;)
        ;
    out[i] = in[i];
}
