// C = A A^T: both operands are rows of A, so one of the two tiles in shared memory has to be turned, by the threads that write it
// or by those that read it. Either way the lanes of a warp go down a column of the tile, all of whose words lie in one bank unless
// the rows are padded.
//
// TILE    edge of a block's tile of C
// TILE_K  depth of the tiles of A
// REG     a thread computes REG x REG values, TILE / REG apart
// TURN    write: the tile is turned when it is written to shared memory; read: when it is read
// PAD     extra words per row of the turned tile

enum turn { write, read };
enum {
    edge = TILE / REG, // threads of a block, in x and in y
    threads = edge * edge,
    pitch = (TURN == write ? TILE : TILE_K) + PAD
};

extern "C" __global__ void matmul_aat_naive(float *c, const float *a, int m, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    if (row >= m || col >= m)
        return;
    for (int i = 0; i < k; i++)
        sum += a[(size_t)row * k + i] * a[(size_t)col * k + i];
    c[(size_t)row * m + col] = sum;
}

extern "C" __global__ void __launch_bounds__(threads) matmul_aat(float *__restrict__ c, const float *__restrict__ a, int m, int k)
{
    __shared__ float rows[TILE * TILE_K], turned[(TURN == write ? TILE_K : TILE) * pitch];
    const int x = threadIdx.x, y = threadIdx.y, tile_row = blockIdx.y * TILE, tile_col = blockIdx.x * TILE;
    float sum[REG][REG] = {};
    for (int first = 0; first < k; first += TILE_K) {
#pragma unroll
        for (int start = 0; start < TILE * TILE_K; start += threads) {
            const int i = start + y * edge + x;
            if (TILE * TILE_K % threads != 0 && i >= TILE * TILE_K)
                break;
            const int row = i / TILE_K, depth = i % TILE_K;
            rows[i] = a[(size_t)(tile_row + row) * k + first + depth];
            turned[TURN == write ? depth * pitch + row : row * pitch + depth] = a[(size_t)(tile_col + row) * k + first + depth];
        }
        __syncthreads();
#pragma unroll 16
        for (int depth = 0; depth < TILE_K; depth++) {
            float left[REG], right[REG];
#pragma unroll
            for (int r = 0; r < REG; r++) {
                left[r] = rows[(y + r * edge) * TILE_K + depth];
                right[r] = turned[TURN == write ? depth * pitch + x + r * edge : (x + r * edge) * pitch + depth];
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
            c[(size_t)(tile_row + y + i * edge) * m + tile_col + x + j * edge] = sum[i][j];
}
