// space: spmv. Warps take rows from a counter, which the last block resets: long rows do not hold others up.
__device__ int next;
__device__ unsigned done;

extern "C" __global__ void spmv(float *y, const int *rows, const int *columns, const float *values, const float *x,
                                const int *, const int *, int n)
{
    const int lane = threadIdx.x % 32;
    for (;;) {
        int row = lane ? 0 : atomicAdd(&next, 1);
        row = __shfl_sync(0xffffffff, row, 0);
        if (row >= n)
            break;
        float sum = 0;
        for (int i = rows[row] + lane; i < rows[row + 1]; i += 32)
            sum += values[i] * x[columns[i]];
        for (int apart = 16; apart; apart /= 2)
            sum += __shfl_xor_sync(0xffffffff, sum, apart);
        if (lane == 0)
            y[row] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0 && atomicInc(&done, gridDim.x - 1) == gridDim.x - 1)
        next = 0;
}
