// space: copy. Asks the L2 for what later blocks read.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x, later = i + 64ll * blockDim.x;
    if (later < count && threadIdx.x % 32 == 0)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(in + later));
    if (i < count)
        out[i] = in[i];
}
