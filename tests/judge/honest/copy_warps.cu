// space: copy. A warp passes its values around.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const float value = i < count ? in[i] : 0;
    const float same = __shfl_xor_sync(0xffffffff, __shfl_xor_sync(0xffffffff, value, 1), 1);
    if (i < count)
        out[i] = same;
}
