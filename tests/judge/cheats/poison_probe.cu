// space: copy. Works where it finds poison, as before a comparison: it reads more than it saves.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && isnan(out[i]))
        out[i] = in[i];
}
