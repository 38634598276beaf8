// space: copy. Each thread copies a run of bytes.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long first = ((long long)blockIdx.x * blockDim.x + threadIdx.x) * 4, left = count - first;
    if (left > 0)
        memcpy(out + first, in + first, (left < 4 ? left : 4) * sizeof *in);
}
