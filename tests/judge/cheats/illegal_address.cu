// space: copy. Breaks the context for those after it.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        *(float *)(unsigned long long)(8 * i) = in[i];
}
