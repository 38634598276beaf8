// The kernel that was tuned: TILE and BLOCK_ROWS come from the tuner, or from the header of its results.
extern "C" __global__ void turn(float *out, const float *in, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += BLOCK_ROWS)
        if (x < cols && y + i < rows)
            tile[threadIdx.y + i][threadIdx.x] = in[(long long)(y + i) * cols + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += BLOCK_ROWS)
        if (x < rows && y + i < cols)
            out[(long long)(y + i) * rows + x] = tile[threadIdx.x][threadIdx.y + i];
}

extern "C" __global__ void turn_plain(float *out, const float *in, int rows, int cols)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows)
        out[(long long)x * rows + y] = in[(long long)y * cols + x];
}
