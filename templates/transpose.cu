// Matrix transpose through shared memory: both the reads and the writes of global memory are coalesced.
//
// TILE        edge of the square tile that a block moves
// BLOCK_ROWS  rows of threads of a block: each thread moves TILE / BLOCK_ROWS vectors
// PAD         extra words per row of the tile: takes the columns of a tile to different banks
// SWIZZLE     1: the same without extra words, by exchanging the columns within each row of the tile
// VEC         floats that a thread reads and writes at once
// UNROLL      unroll factor of the loops over the rows of a tile
// SWAP_GRID   1: consecutive blocks walk down a column of tiles instead of along a row

template <int FLOATS> struct vector;
template <> struct vector<1> { typedef float type; };
template <> struct vector<2> { typedef float2 type; };
template <> struct vector<4> { typedef float4 type; };

enum { unroll = UNROLL }; // nvcc expands no macros in a #pragma; NVRTC does

union pack {
    vector<VEC>::type whole;
    float part[VEC];
};

// Where a value of the tile lies in shared memory. Swizzled, neither the VEC * t-th words of a row nor those of a column share a
// bank: x >> 5 moves the words of one row that would, and the row number those of one column; where a warp writes several short
// rows at once, each of them is moved to other banks. An exclusive or with the row's number exchanges words within the row only.
static __device__ int place(int y, int x)
{
    enum { rows_of_warp = 32 * VEC > TILE ? 32 * VEC / TILE : 1 };
    const int turn = y / VEC * rows_of_warp ^ y % rows_of_warp * (VEC / rows_of_warp);
    return SWIZZLE ? y * TILE + ((x ^ x >> 5 ^ turn) & (TILE - 1)) : y * (TILE + PAD) + x;
}

// The obvious one: a thread per element, strided writes.
extern "C" __global__ void transpose_naive(float *out, const float *in, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

extern "C" __global__ void transpose(float *__restrict__ out, const float *__restrict__ in, int rows, int cols)
{
    extern __shared__ float tile[]; // TILE rows of TILE + PAD
    const int tile_col = (SWAP_GRID ? blockIdx.y : blockIdx.x) * TILE;
    const int tile_row = (SWAP_GRID ? blockIdx.x : blockIdx.y) * TILE;
    const int at = threadIdx.x * VEC;

    if (tile_col + at < cols) {
#pragma unroll unroll
        for (int i = 0; i < TILE; i += BLOCK_ROWS) {
            const int y = threadIdx.y + i;
            if (tile_row + y < rows) {
                pack p;
                p.whole = *(const vector<VEC>::type *)&in[(size_t)(tile_row + y) * cols + tile_col + at];
                for (int v = 0; v < VEC; v++)
                    tile[place(y, at + v)] = p.part[v];
            }
        }
    }
    __syncthreads();
    if (tile_row + at < rows) {
#pragma unroll unroll
        for (int i = 0; i < TILE; i += BLOCK_ROWS) {
            const int x = threadIdx.y + i;
            if (tile_col + x < cols) {
                pack p;
                for (int v = 0; v < VEC; v++)
                    p.part[v] = tile[place(at + v, x)];
                *(vector<VEC>::type *)&out[(size_t)(tile_col + x) * rows + tile_row + at] = p.whole;
            }
        }
    }
}
