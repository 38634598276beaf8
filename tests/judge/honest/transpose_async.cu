// space: transpose. A tile that asynchronous copies fill.
#include <cuda_pipeline.h>

extern "C" __global__ void transpose(float *out, const float *in, int rows, int cols)
{
    __shared__ float tile[32][33];
    const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += blockDim.y)
        if (row + k < rows && col < cols)
            __pipeline_memcpy_async(&tile[threadIdx.y + k][threadIdx.x], &in[(size_t)(row + k) * cols + col],
                                    sizeof *in);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    const int to_col = blockIdx.y * 32 + threadIdx.x, to_row = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += blockDim.y)
        if (to_row + k < cols && to_col < rows)
            out[(size_t)(to_row + k) * rows + to_col] = tile[threadIdx.x][threadIdx.y + k];
}
