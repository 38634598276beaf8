// space: softmax. The row stays in registers.
static __device__ float over_block(float value, bool most, float *shared)
{
    for (int apart = 16; apart; apart /= 2) {
        const float other = __shfl_xor_sync(0xffffffff, value, apart);
        value = most ? fmaxf(value, other) : value + other;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = value;
    __syncthreads();
    value = shared[0];
    for (int w = 1; w < 8; w++)
        value = most ? fmaxf(value, shared[w]) : value + shared[w];
    return value;
}

extern "C" __global__ void __launch_bounds__(256) softmax(float *out, const float *in, int rows)
{
    enum { steps = (COLS + 255) / 256 };
    __shared__ float shared[8];
    float held[steps], most = -3.402823466e38f, sum = 0;
#pragma unroll
    for (int k = 0; k < steps; k++) {
        const int i = k * 256 + threadIdx.x;
        held[k] = i < COLS ? in[(size_t)blockIdx.x * COLS + i] : -3.402823466e38f;
        most = fmaxf(most, held[k]);
    }
    most = over_block(most, true, shared);
#pragma unroll
    for (int k = 0; k < steps; k++)
        sum += held[k] = expf(held[k] - most);
    sum = over_block(sum, false, shared);
#pragma unroll
    for (int k = 0; k < steps; k++)
        if (k * 256 + threadIdx.x < COLS)
            out[(size_t)blockIdx.x * COLS + k * 256 + threadIdx.x] = held[k] / sum;
}
