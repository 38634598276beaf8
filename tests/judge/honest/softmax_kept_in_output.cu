// space: softmax. Uses its output as a workspace: exponentials first, then their shares.
extern "C" __global__ void softmax(float *out, const float *in, int rows)
{
    __shared__ float mosts[8], sums[8];
    const float *const from = in + (size_t)blockIdx.x * COLS;
    float *const to = out + (size_t)blockIdx.x * COLS;
    float most = -3.402823466e38f, sum = 0;
    for (int i = threadIdx.x; i < COLS; i += blockDim.x)
        most = fmaxf(most, from[i]);
    for (int apart = 16; apart; apart /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, apart));
    if (threadIdx.x % 32 == 0)
        mosts[threadIdx.x / 32] = most;
    __syncthreads();
    for (int w = 0; w < 8; w++)
        most = fmaxf(most, mosts[w]);
    for (int i = threadIdx.x; i < COLS; i += blockDim.x)
        sum += to[i] = expf(from[i] - most);
    for (int apart = 16; apart; apart /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, apart);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < 8; w++)
        sum += sums[w];
    for (int i = threadIdx.x; i < COLS; i += blockDim.x)
        to[i] /= sum;
}
