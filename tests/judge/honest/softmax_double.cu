// space: softmax. Sums in double precision, in one warp for each eighth of the row.
extern "C" __global__ void softmax(float *out, const float *in, int rows)
{
    __shared__ float mosts[8];
    __shared__ double sums[8];
    const float *const from = in + (size_t)blockIdx.x * COLS;
    const int warp = threadIdx.x / 32, each = (COLS + 7) / 8, begin = warp * each, end = min(begin + each, COLS);
    float most = -3.402823466e38f;
    double sum = 0;
    for (int i = begin + threadIdx.x % 32; i < end; i += 32)
        most = fmaxf(most, from[i]);
    for (int apart = 16; apart; apart /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, apart));
    mosts[warp] = most;
    __syncthreads();
    for (int w = 0; w < 8; w++)
        most = fmaxf(most, mosts[w]);
    for (int i = begin + threadIdx.x % 32; i < end; i += 32)
        sum += expf(from[i] - most);
    for (int apart = 16; apart; apart /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, apart);
    sums[warp] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < 8; w++)
        sum += sums[w];
    for (int i = begin + threadIdx.x % 32; i < end; i += 32)
        out[(size_t)blockIdx.x * COLS + i] = (float)(expf(from[i] - most) / sum);
}
