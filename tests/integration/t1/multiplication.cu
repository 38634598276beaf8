// c = a b for square matrices: a block has a tile of c, and a thread every ROWS-th row of a column of it.
template <typename T>
__global__ void multiply(T *c, const T *a, const T *b, int n)
{
    extern __shared__ T tiles[];
    T *left = tiles, *right = tiles + TILE * TILE, sums[TILE / ROWS] = {};
    int x = threadIdx.x, column = blockIdx.x * TILE + x, top = blockIdx.y * TILE;
    for (int step = 0; step < n; step += TILE) {
        for (int y = threadIdx.y; y < TILE; y += ROWS) {
            left[y * TILE + x] = a[(top + y) * n + step + x];
            right[y * TILE + x] = b[(step + y) * n + column];
        }
        __syncthreads();
        for (int part = 0; part < TILE / ROWS; part++)
            for (int k = 0; k < TILE; k++)
                sums[part] += left[(threadIdx.y + part * ROWS) * TILE + k] * right[k * TILE + x];
        __syncthreads();
    }
    for (int part = 0; part < TILE / ROWS; part++)
        c[(top + threadIdx.y + part * ROWS) * n + column] = sums[part];
}
