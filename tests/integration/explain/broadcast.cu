// Polynomials whose coefficients all threads read from the same place in shared memory, FLOATS at a time.

enum { terms = 512 };

extern "C" __global__ void broadcast_naive(float *out, const float *in)
{
    const int thread = blockIdx.x * 256 + threadIdx.x;
    const float x = (float)(thread & 255) * 0.003f;
    float sums[4] = {0, 0, 0, 0};
    for (int s = 0; s < STEPS; s++)
        for (int t = 0; t < terms; t++)
            sums[t % 4] = fmaf(sums[t % 4], x, in[t]);
    out[thread] = sums[0] + sums[1] + sums[2] + sums[3];
}

extern "C" __global__ void __launch_bounds__(256) broadcast(float *out, const float *in)
{
    __shared__ float4 table[terms / 4];
    const int thread = blockIdx.x * 256 + threadIdx.x;
    for (int i = threadIdx.x; i < terms; i += 256)
        ((float *)table)[i] = in[i];
    __syncthreads();
    const float x = (float)(thread & 255) * 0.003f;
    float sums[4] = {0, 0, 0, 0};
#pragma unroll 1
    for (int s = 0; s < STEPS; s++)
#pragma unroll 4
        for (int t = 0; t < terms / 4; t++) {
            float4 c;
            if (FLOATS == 4) {
                c = table[t];
            } else {
                const volatile float *const at = (const volatile float *)&table[t];
                c.x = at[0], c.y = at[1], c.z = at[2], c.w = at[3];
            }
            sums[0] = fmaf(sums[0], x, c.x);
            sums[1] = fmaf(sums[1], x, c.y);
            sums[2] = fmaf(sums[2], x, c.z);
            sums[3] = fmaf(sums[3], x, c.w);
        }
    out[thread] = sums[0] + sums[1] + sums[2] + sums[3];
}
