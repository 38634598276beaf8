// Matrix transpose for rows of any length by loads and stores of 16 bytes. Unless its length is a multiple of four, each row begins
// at another place within a sector of memory; the tile of a block therefore follows the rows: a row is read from the last place
// before the tile at which a vector may begin, and each row of the result is written from the first such place in the tile on. The
// block before writes the elements that this leaves out: it has read OVERLAP rows more than it needs for its own part.
//
// The limit is the copy ceiling: every element is read and written once. At 4095 x 8191 on an H200 this reaches 0.87 of it, the
// runtime's own copy of as many bytes 0.89. The L2 cache is the busiest unit, 92% of the time (a plain copy: 91%): rows and columns
// that tiles share are a fifth more sectors to read from it.
//
// TILE_X, TILE_Y  columns and rows of the tile that a block reads
// THREADS         of a block
// OVERLAP         columns and rows that a tile shares with the next one: 0 if all rows begin with a vector; 8: whole sectors
// SWAP_GRID       1: consecutive blocks walk down a column of tiles instead of along a row
// PREFETCH        bytes that the L2 cache fetches from memory at least

enum {
    vectors_x = TILE_X / 4, // of a row of the tile
    vectors_y = TILE_Y / 4, // of a row of the turned tile
    lines_read = THREADS / vectors_x, // at once, by all threads
    lines_written = THREADS / vectors_y,
    align = OVERLAP > 0 ? OVERLAP : 4
};

union pack {
    float4 whole;
    float part[4];
};

extern "C" __global__ void transpose_any_naive(float *out, const float *in, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

// Where a value of the tile lies in shared memory. A warp writes the values number v of the vectors of a row, or of several short
// rows, and reads the same of a column: neither share a bank. An exclusive or exchanges words within a row only.
static __device__ int place(int y, int x)
{
    enum { rows_of_warp = 32 > vectors_x ? 32 / vectors_x : 1, columns_of_warp = 32 > vectors_y ? 32 / vectors_y : 1 };
    const int turn = y / 4 * columns_of_warp ^ y % rows_of_warp * (4 / rows_of_warp);
    return y * TILE_X + ((x ^ x >> 5 ^ turn) & (TILE_X - 1));
}

static __device__ float4 load(const float *from)
{
    float4 v;
    if (PREFETCH == 256)
        asm volatile("ld.global.L2::256B.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(from));
    else
        v = *(const float4 *)from;
    return v;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    transpose_any(float *__restrict__ out, const float *__restrict__ in, int rows, int cols)
{
    extern __shared__ float tile[];
    const int tile_x = (SWAP_GRID ? blockIdx.y : blockIdx.x) * (TILE_X - OVERLAP);
    const int tile_y = (SWAP_GRID ? blockIdx.x : blockIdx.y) * (TILE_Y - OVERLAP);
    const size_t count = (size_t)rows * cols;

    pack from[TILE_Y / lines_read];
#pragma unroll
    for (int u = 0; u < TILE_Y / lines_read; u++) {
        const int y = tile_y + u * lines_read + threadIdx.x / vectors_x;
        const size_t begin = (size_t)y * cols + tile_x, at = begin / align * align + threadIdx.x % vectors_x * 4;
        if (y >= rows || at >= (size_t)(y + 1) * cols)
            continue;
        if (at + 4 <= count)
            from[u].whole = load(&in[at]);
        else
#pragma unroll
            for (int v = 0; v < 4; v++)
                from[u].part[v] = at + v < count ? in[at + v] : 0;
    }
#pragma unroll
    for (int u = 0; u < TILE_Y / lines_read; u++) {
        const int y = u * lines_read + threadIdx.x / vectors_x;
        const int skipped = OVERLAP > 0 ? ((size_t)(tile_y + y) * cols + tile_x) % align : 0;
        const int x = threadIdx.x % vectors_x * 4 - skipped;
#pragma unroll
        for (int v = 0; v < 4; v++)
            if (OVERLAP == 0 || x + v >= 0)
                tile[place(y, x + v)] = from[u].part[v];
    }
    __syncthreads();
#pragma unroll
    for (int u = 0; u < TILE_X / lines_written; u++) {
        const int x = u * lines_written + threadIdx.x / vectors_y, number = threadIdx.x % vectors_y;
        const size_t begin = (size_t)(tile_x + x) * rows + tile_y;
        const int left_out = OVERLAP > 0 ? align - 1 - (int)((begin + align - 1) % align) : 0; // to the block before, if there is one
        const int y = number * 4 + left_out - (tile_y == 0 ? OVERLAP : 0), left = rows - tile_y - y;
        if (x >= TILE_X - OVERLAP || tile_x + x >= cols || left <= 0 || (tile_y > 0 && number >= vectors_y - OVERLAP / 4))
            continue;
        pack p;
#pragma unroll
        for (int v = 0; v < 4; v++)
            p.part[v] = tile[place(OVERLAP > 0 ? max(y + v, 0) : y + v, x)];
        if (OVERLAP == 0 || (y >= 0 && left >= 4))
            *(float4 *)&out[begin + y] = p.whole;
        else
#pragma unroll
            for (int v = 0; v < 4; v++)
                if (y + v >= 0 && v < left)
                    out[begin + y + v] = p.part[v];
    }
}
