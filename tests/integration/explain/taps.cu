// A convolution of 7 x 7 taps over a tile in shared memory.
//
// UNROLL  unroll factor of both loops over the taps: without it, their indices into constant memory are in registers

__constant__ float weights[49];

extern "C" __global__ void taps_naive(float *out, const float *in, const float *weight)
{
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float sum = 0;
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 7; i++)
            sum += weight[j * 7 + i] * in[(y + j) * PITCH + x + i];
    out[y * WIDTH + x] = sum;
}

extern "C" __global__ void __launch_bounds__(256) taps(float *__restrict__ out, const float *__restrict__ in, const float *)
{
    __shared__ float tile[14][40];
    const int x = threadIdx.x, y = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 8;
    for (int k = y * 32 + x; k < 14 * 38; k += 256)
        tile[k / 38][k % 38] = in[(y0 + k / 38) * PITCH + x0 + k % 38];
    __syncthreads();
    float sum = 0;
#pragma unroll UNROLL
    for (int j = 0; j < 7; j++)
#pragma unroll UNROLL
        for (int i = 0; i < 7; i++)
            sum += weights[j * 7 + i] * tile[y + j][x + i];
    out[(y0 + y) * WIDTH + x0 + x] = sum;
}
