extern "C" __global__ void scale(float *out, const float *in, float factor, int n)
{
    for (int i = 0; i < UNROLL; i++) {
        int at = (blockIdx.x * UNROLL + i) * BLOCK + threadIdx.x;
        if (at < n)
            out[at] = factor * in[at];
    }
}

template <typename T> __global__ void scale_any(T *out, const T *in, float factor, int n)
{
    int at = blockIdx.x * BLOCK + threadIdx.x;
    out[at] = factor * in[at];
}

__global__ void init(float *data, long long count, float value)
{
    long long at = blockIdx.x * 256ll + threadIdx.x;
    if (at < count)
        data[at] = value;
}

extern "C" __global__ void scale_naive(float *out, const float *in, float factor, int n)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < n)
        out[at] = factor * in[at];
}

#ifdef N
static_assert(N % 4 == 0, "whole vectors");
#endif
