// space: softmax. The largest value and the sum in one pass.
extern "C" __global__ void softmax(float *out, const float *in, int rows)
{
    __shared__ float mosts[8], sums[8];
    const float *const from = in + (size_t)blockIdx.x * COLS;
    float most = -3.402823466e38f, sum = 0;
    for (int i = threadIdx.x; i < COLS; i += blockDim.x) {
        const float next = fmaxf(most, from[i]);
        sum = sum * expf(most - next) + expf(from[i] - next);
        most = next;
    }
    for (int apart = 16; apart; apart /= 2) {
        const float other = __shfl_xor_sync(0xffffffff, most, apart), added = __shfl_xor_sync(0xffffffff, sum, apart);
        const float next = fmaxf(most, other);
        sum = sum * expf(most - next) + added * expf(other - next);
        most = next;
    }
    if (threadIdx.x % 32 == 0) {
        mosts[threadIdx.x / 32] = most;
        sums[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    for (unsigned w = 0; w < blockDim.x / 32; w++)
        most = fmaxf(most, mosts[w]);
    sum = 0;
    for (unsigned w = 0; w < blockDim.x / 32; w++)
        sum += sums[w] * expf(mosts[w] - most);
    for (int i = threadIdx.x; i < COLS; i += blockDim.x)
        out[(size_t)blockIdx.x * COLS + i] = expf(from[i] - most) / sum;
}
