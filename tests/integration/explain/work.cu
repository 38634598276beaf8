// Items of arithmetic or copying, which the threads of the grid take in turn. All parameters are the launch's: see the
// .space.
//
// COPIES  0: an item is a row of dependent multiply-adds; 1: a copy of 16 bytes

static __device__ float compute(float x)
{
#pragma unroll 16
    for (int s = 0; s < STEPS; s++)
        x = fmaf(x, 0.999f, 0.25f);
    return x;
}

extern "C" __global__ void work_naive(float *out, const float *in, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        for (int k = 0; k < (COPIES ? 4 : 1); k++)
            out[i * (COPIES ? 4 : 1) + k] = COPIES ? in[i * 4 + k] : compute(in[i]);
}

extern "C" __global__ void work(float *__restrict__ out, const float *__restrict__ in, int count)
{
    const int threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
        if (COPIES)
            ((float4 *)out)[i] = ((const float4 *)in)[i];
        else
            out[i] = compute(in[i]);
    }
}
