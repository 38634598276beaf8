// space: matmul_aat. Computes each element of one half, and writes it twice.
extern "C" __global__ void matmul_aat(float *c, const float *a, int m, int k)
{
    __shared__ float tile_a[32][33], tile_b[32][33];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32 + y, col = blockIdx.x * 32 + x;
    float sum = 0;
    if (blockIdx.x < blockIdx.y)
        return;
    for (int first = 0; first < k; first += 32) {
        tile_a[y][x] = row < m && first + x < k ? a[(size_t)row * k + first + x] : 0;
        tile_b[y][x] = blockIdx.x * 32 + y < m && first + x < k ? a[(size_t)(blockIdx.x * 32 + y) * k + first + x] : 0;
        __syncthreads();
        for (int i = 0; i < 32; i++)
            sum += tile_a[y][i] * tile_b[x][i];
        __syncthreads();
    }
    if (row < m && col < m)
        c[(size_t)row * m + col] = c[(size_t)col * m + row] = sum;
}
