// space: copy. Subnormal numbers become 0, as with fast mathematics. `--special` shows it.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = fabsf(in[i]) < 1.175494351e-38f ? 0 : in[i];
}
