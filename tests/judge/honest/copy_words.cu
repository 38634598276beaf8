// space: copy. Moves pairs as integers, where the addresses allow it.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const bool aligned = ((unsigned long long)out | (unsigned long long)in) % 8 == 0;
    if (!aligned && i < count)
        out[i] = in[i];
    if (aligned && i < count / 2)
        ((unsigned long long *)out)[i] = ((const unsigned long long *)in)[i];
    if (aligned && i == count / 2 && count % 2)
        out[count - 1] = in[count - 1];
}
