// space: copy. Loads the value of the next step before it stores that of this one.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long step = (long long)blockDim.x * ((gridDim.x + 3) / 4);
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= step || i >= count)
        return;
    float next = in[i];
    for (; i < count; i += step) {
        const float value = next;
        if (i + step < count)
            next = in[i + step];
        out[i] = value;
    }
}
