// space: copy. Leaves out every other block.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && blockIdx.x % 2 == 0)
        out[i] = in[i];
}
