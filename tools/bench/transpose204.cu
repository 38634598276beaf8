// A transpose with 204 configurations for comparing tuners: a square tile of block_size_x, moved
// block_size_y rows at a time, through shared memory or by strided writes.
extern "C" __global__ void transpose_naive(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

#if UNROLL
enum { unroll = block_size_x / block_size_y };
#else
enum { unroll = 1 };
#endif

extern "C" __global__ void transpose(float *__restrict__ out, const float *__restrict__ in, int n)
{
    const int tile_col = (SWAP_GRID ? blockIdx.y : blockIdx.x) * block_size_x;
    const int tile_row = (SWAP_GRID ? blockIdx.x : blockIdx.y) * block_size_x;
#if USE_SMEM
    __shared__ float tile[block_size_x][block_size_x + TILE_PAD];
#pragma unroll unroll
    for (int i = 0; i < block_size_x; i += block_size_y)
        tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(tile_row + threadIdx.y + i) * n + tile_col + threadIdx.x];
    __syncthreads();
#pragma unroll unroll
    for (int i = 0; i < block_size_x; i += block_size_y)
        out[(size_t)(tile_col + threadIdx.y + i) * n + tile_row + threadIdx.x] = tile[threadIdx.x][threadIdx.y + i];
#else
#pragma unroll unroll
    for (int i = 0; i < block_size_x; i += block_size_y)
        out[(size_t)(tile_col + threadIdx.x) * n + tile_row + threadIdx.y + i] =
            in[(size_t)(tile_row + threadIdx.y + i) * n + tile_col + threadIdx.x];
#endif
}
