// space: stencil2d. A tile with its border in shared memory.
static __device__ int inside(int at, int size)
{
    return at < 0 ? 0 : at >= size ? size - 1 : at;
}

extern "C" __global__ void stencil2d(float *out, const float *in, cudaTextureObject_t, int width, int height)
{
    enum { tile_width = 32 + 2 * RADIUS, tile_height = 8 + 2 * RADIUS };
    __shared__ float tile[tile_height][tile_width];
    const int first_x = blockIdx.x * 32 - RADIUS, first_y = blockIdx.y * 8 - RADIUS;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < tile_width * tile_height; i += 256)
        tile[i / tile_width][i % tile_width] =
            in[(size_t)inside(first_y + i / tile_width, height) * width + inside(first_x + i % tile_width, width)];
    __syncthreads();
    const int x = threadIdx.x + RADIUS, y = threadIdx.y + RADIUS;
    float around = 0;
    for (int r = 1; r <= RADIUS; r++)
        around += tile[y][x - r] + tile[y][x + r] + tile[y - r][x] + tile[y + r][x];
    if (first_x + x < width && first_y + y < height)
        out[(size_t)(first_y + y) * width + first_x + x] = 0.5f * tile[y][x] + 0.125f / RADIUS * around;
}
