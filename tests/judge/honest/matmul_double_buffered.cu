// space: matmul. Two stages of tiles, which asynchronous copies fill.
#include <cuda_pipeline.h>

extern "C" __global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float tiles_a[2][32][32], tiles_b[2][32][32];
    const int tiles = (n + 31) / 32, y = threadIdx.x / 32, x = threadIdx.x % 32;
    const int row = blockIdx.x / tiles * 32 + y, col = blockIdx.x % tiles * 32 + x;
    float sum = 0;
    int stage = 0;
    const auto fetch = [&](int first, int to) {
        if (row < m && first + x < k)
            __pipeline_memcpy_async(&tiles_a[to][y][x], &a[(size_t)row * k + first + x], sizeof *a);
        else
            tiles_a[to][y][x] = 0;
        if (col < n && first + y < k)
            __pipeline_memcpy_async(&tiles_b[to][y][x], &b[(size_t)(first + y) * n + col], sizeof *b);
        else
            tiles_b[to][y][x] = 0;
        __pipeline_commit();
    };
    fetch(0, stage);
    for (int first = 0; first < k; first += 32, stage ^= 1) {
        fetch(first + 32, stage ^ 1);
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int i = 0; i < 32; i++)
            sum += tiles_a[stage][y][i] * tiles_b[stage][i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[(size_t)row * n + col] = sum;
}
