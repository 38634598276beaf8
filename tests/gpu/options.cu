// Keeps many values alive at once; with fewer registers they are spilled.
extern "C" __global__ void reference(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 64; k++)
        sum += in[(i + 37 * k) & 65535];
    out[i] = sum;
}

#if BLOCKS_SM // bounds make the compiler ignore --maxrregcount
#define BOUNDS __launch_bounds__(256, BLOCKS_SM)
#else
#define BOUNDS
#endif

extern "C" __global__ void BOUNDS options(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float held[64], sum = 0;
#pragma unroll
    for (int k = 0; k < 64; k++)
        held[k] = ((const volatile float *)in)[(i + 37 * k) & 65535];
#pragma unroll
    for (int k = 0; k < 64; k++)
        sum += held[63 - k]; // starts with the last value, so that all are alive at once
    out[i] = sum;
}
