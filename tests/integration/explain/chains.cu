// Eight chains of dependent arithmetic per thread.
//
// KIND      0: multiply-add in FP32; 1: a hash of integers; 2: reciprocal square roots
// TOGETHER  1: one step of each chain in turn; 0: one chain after the other

enum { chains = 8 };
#if KIND == 1
typedef unsigned number;
static __device__ number step(number x) { return (x ^ x >> 13) * 1664525u; }
#elif KIND == 2
typedef float number;
static __device__ number step(number x) { return rsqrtf(x) + 0.5f; }
#else
typedef float number;
static __device__ number step(number x) { return fmaf(x, 0.999f, 0.25f); }
#endif

extern "C" __global__ void chains_naive(float *out, int steps)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    number sum = 0;
    for (int c = 0; c < chains; c++) {
        number x = (number)(thread % 1000 + c + 1);
        for (int s = 0; s < steps; s++)
            x = step(x);
        sum += x;
    }
    out[thread] = (float)sum;
}

extern "C" __global__ void chains_of_steps(float *out, int steps)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    number x[chains], sum = 0;
#pragma unroll
    for (int c = 0; c < chains; c++)
        x[c] = (number)(thread % 1000 + c + 1);
    if (TOGETHER) {
#pragma unroll 4
        for (int s = 0; s < steps; s++)
#pragma unroll
            for (int c = 0; c < chains; c++)
                x[c] = step(x[c]);
    } else {
#pragma unroll
        for (int c = 0; c < chains; c++)
#pragma unroll 32
            for (int s = 0; s < steps; s++)
                x[c] = step(x[c]);
    }
#pragma unroll
    for (int c = 0; c < chains; c++)
        sum += x[c];
    out[thread] = (float)sum;
}
