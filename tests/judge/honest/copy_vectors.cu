// space: copy. Vectors, if the addresses allow them.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const bool aligned = ((unsigned long long)out | (unsigned long long)in) % 16 == 0;
    if (aligned && i < count / 4)
        ((float4 *)out)[i] = ((const float4 *)in)[i];
    if (aligned && i < count % 4)
        out[count / 4 * 4 + i] = in[count / 4 * 4 + i];
    if (!aligned && i < count)
        out[i] = in[i];
}
