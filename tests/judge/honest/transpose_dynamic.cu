// space: transpose. The dynamic shared memory of the launch.
extern "C" __global__ void transpose(float *out, const float *in, int rows, int cols)
{
    extern __shared__ float tile[];
    const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += blockDim.y)
        if (row + k < rows && col < cols)
            tile[(threadIdx.y + k) * 33 + threadIdx.x] = in[(size_t)(row + k) * cols + col];
    __syncthreads();
    const int to_col = blockIdx.y * 32 + threadIdx.x, to_row = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += blockDim.y)
        if (to_row + k < cols && to_col < rows)
            out[(size_t)(to_row + k) * rows + to_col] = tile[threadIdx.x * 33 + threadIdx.y + k];
}
