// space: copy. Slow, but right.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long until = clock64() + 20000; clock64() < until;)
        ;
    if (i < count)
        out[i] = in[i];
}
