// space: copy. The first half of the grid moves two elements each.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (count + 1) / 2) {
        out[i] = in[i];
        if (i + (count + 1) / 2 < count)
            out[i + (count + 1) / 2] = in[i + (count + 1) / 2];
    }
}
