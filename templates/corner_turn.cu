// C = A B where both operands lie in memory the unfavourable way: A and B column after column, C row after row. If the lanes of a
// warp copy a tile in the order in which they will use it, each of them reads another line of memory. Corner turning: the lanes
// go along memory, and the tile is turned on its way into shared memory.
//
// TILE     edge of a block's tile of C
// TILE_K   depth of the tiles of A and B
// REG      a thread computes REG x REG values, TILE / REG apart
// ORDER_A  memory: the lanes go along memory when they copy a tile of A; tile: along the rows of the tile
// ORDER_B  the same for B
// PAD      extra words per row of the tiles: takes the columns of a tile to different banks

enum order { memory, tile };
enum {
    edge = TILE / REG, // threads of a block, in x and in y
    threads = edge * edge,
    pitch_a = TILE_K + PAD, // TILE rows
    pitch_b = TILE + PAD    // TILE_K rows
};

extern "C" __global__ void corner_turn_naive(float *c, const float *a, const float *b, int m, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += a[(size_t)i * m + row] * b[(size_t)col * k + i];
    c[(size_t)row * n + col] = sum;
}

extern "C" __global__ void __launch_bounds__(threads)
    corner_turn(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int m, int n, int k)
{
    __shared__ float tile_a[TILE * pitch_a], tile_b[TILE_K * pitch_b];
    const int x = threadIdx.x, y = threadIdx.y, tile_row = blockIdx.y * TILE, tile_col = blockIdx.x * TILE;
    float sum[REG][REG] = {};
    for (int first = 0; first < k; first += TILE_K) {
#pragma unroll
        for (int start = 0; start < TILE * TILE_K; start += threads) {
            const int i = start + y * edge + x;
            if (TILE * TILE_K % threads != 0 && i >= TILE * TILE_K)
                break;
            const int row = ORDER_A == memory ? i % TILE : i / TILE_K, depth_a = ORDER_A == memory ? i / TILE : i % TILE_K;
            const int col = ORDER_B == memory ? i / TILE_K : i % TILE, depth_b = ORDER_B == memory ? i % TILE_K : i / TILE;
            tile_a[row * pitch_a + depth_a] = a[(size_t)(first + depth_a) * m + tile_row + row];
            tile_b[depth_b * pitch_b + col] = b[(size_t)(tile_col + col) * k + first + depth_b];
        }
        __syncthreads();
#pragma unroll 16
        for (int depth = 0; depth < TILE_K; depth++) {
            float left[REG], right[REG];
#pragma unroll
            for (int r = 0; r < REG; r++) {
                left[r] = tile_a[(y + r * edge) * pitch_a + depth];
                right[r] = tile_b[depth * pitch_b + x + r * edge];
            }
#pragma unroll
            for (int i = 0; i < REG; i++)
#pragma unroll
                for (int j = 0; j < REG; j++)
                    sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < REG; i++)
#pragma unroll
        for (int j = 0; j < REG; j++)
            c[(size_t)(tile_row + y + i * edge) * n + tile_col + x + j * edge] = sum[i][j];
}
