// space: histogram. Atomic additions to the output.
extern "C" __global__ void histogram(unsigned *out, const unsigned char *in, long long count)
{
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (long long)gridDim.x * blockDim.x)
        atomicAdd(&out[in[i]], 1);
}
