// space: matmul. Tiles in shared memory.
extern "C" __global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float tile_a[32][32], tile_b[32][32];
    const int tiles = (n + 31) / 32, y = threadIdx.x / 32, x = threadIdx.x % 32;
    const int row = blockIdx.x / tiles * 32 + y, col = blockIdx.x % tiles * 32 + x;
    float sum = 0;
    for (int first = 0; first < k; first += 32) {
        tile_a[y][x] = row < m && first + x < k ? a[(size_t)row * k + first + x] : 0;
        tile_b[y][x] = col < n && first + y < k ? b[(size_t)(first + y) * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < 32; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[(size_t)row * n + col] = sum;
}
