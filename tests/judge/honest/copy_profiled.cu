// space: copy. Counts its cycles in a device variable, which is a remark and no accusation.
__device__ unsigned long long cycles;

extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x, begin = clock64();
    if (i < count)
        out[i] = in[i];
    if (threadIdx.x == 0)
        atomicAdd(&cycles, (unsigned long long)(clock64() - begin));
}
