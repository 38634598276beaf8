// 64 taps: a thread reads all inputs of each output, or slides a window over eight outputs.
//
// WINDOW  0: shifted loads, most of them misaligned, which hit L1; 1: a window in registers, with far fewer loads

__constant__ float taps[64];

extern "C" __global__ void window_naive(float *out, const float *in, const float *tap)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 64; k++)
        sum += tap[k] * in[i + k];
    out[i] = sum;
}

#if WINDOW
__device__ int padded(int i)
{
    return i + (i >> 5);
}
#endif

extern "C" __global__ void window(float *__restrict__ out, const float *__restrict__ in, const float *)
{
    const int t = threadIdx.x, begin = blockIdx.x * 2048;
#if WINDOW
    __shared__ float part[2200];
    float sums[8] = {}, values[8];
    for (int i = t; i < 2128; i += 256)
        part[padded(i)] = in[begin + i];
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 8; r++)
        values[r] = part[padded(t * 8 + r)];
#pragma unroll 8
    for (int k = 0; k < 64; k++) {
#pragma unroll
        for (int r = 0; r < 8; r++)
            sums[r] += taps[k] * values[(k + r) & 7];
        values[k & 7] = part[padded(t * 8 + k + 8)];
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 8; r++)
        part[padded(t * 8 + r)] = sums[r];
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 8; r++)
        out[begin + r * 256 + t] = part[padded(r * 256 + t)];
#else
#pragma unroll 1
    for (int r = 0; r < 8; r++) {
        float sum = 0;
#pragma unroll 16
        for (int k = 0; k < 64; k++)
            sum += taps[k] * in[begin + r * 256 + t + k];
        out[begin + r * 256 + t] = sum;
    }
#endif
}
