extern "C" __global__ void smooth_plain(float *out, const float *in, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length)
        out[i] = (in[max(i - 1, 0)] + in[i] + in[min(i + 1, length - 1)]) / 3;
}

extern "C" __global__ void smooth(float *out, const float *in, int length)
{
    int first = blockIdx.x * BLOCK * PER_THREAD + threadIdx.x;
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++) {
        int i = first + k * BLOCK;
        if (i < length)
            out[i] = (in[max(i - 1, 0)] + in[i] + in[min(i + 1, length - 1)]) / 3;
    }
}
