// space: matmul. Products in TF32 alone, on tensor cores.
static __device__ unsigned high(float x)
{
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return bits;
}

static __device__ void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* Eight of the 32 warps have a part of 16 by 8 of the tile. */
extern "C" __global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float tile_a[32][33], tile_b[32][33];
    const int tiles = (n + 31) / 32, y = threadIdx.x / 32, x = threadIdx.x % 32;
    const int first_row = blockIdx.x / tiles * 32, first_col = blockIdx.x % tiles * 32;
    const int part_row = y / 4 * 16, part_col = y % 4 * 8, group = x / 4, lane = x % 4;
    float d[4] = {};
    for (int first = 0; first < k; first += 32) {
        tile_a[y][x] = first_row + y < m && first + x < k ? a[(size_t)(first_row + y) * k + first + x] : 0;
        tile_b[y][x] = first_col + x < n && first + y < k ? b[(size_t)(first + y) * n + first_col + x] : 0;
        __syncthreads();
        for (int i = 0; i < 32 && y < 8; i += 8) {
            const float of_a[] = {tile_a[part_row + group][i + lane], tile_a[part_row + group + 8][i + lane],
                                  tile_a[part_row + group][i + lane + 4], tile_a[part_row + group + 8][i + lane + 4]};
            const float of_b[] = {tile_b[i + lane][part_col + group], tile_b[i + lane + 4][part_col + group]};
            unsigned high_a[4], high_b[2];
            for (int v = 0; v < 4; v++)
                high_a[v] = high(of_a[v]);
            for (int v = 0; v < 2; v++)
                high_b[v] = high(of_b[v]);
            multiply(d, high_a, high_b);
        }
        __syncthreads();
    }
    for (int v = 0; v < 4 && y < 8; v++) {
        const int row = first_row + part_row + group + v / 2 * 8, col = first_col + part_col + 2 * lane + v % 2;
        if (row < m && col < n)
            c[(size_t)row * n + col] = d[v];
    }
}
