// A gather with locality in two dimensions: out[y][x] = in[(y + slope * x) % height][x]. The reads of a warp go diagonally across
// the plane, each to another line of memory, and neighbouring warps want the rest of the same lines. What serves them depends on
// the way through the caches and on the shape of the blocks.
//
// SOURCE   plain: ordinary loads; readonly: __ldg; texture: fetches of a texture object over the same memory
// BLOCK_X  threads of a block along a row
// BLOCK_Y  threads of a block down a column
// ROWS     points of a thread, BLOCK_Y rows apart, with all of their loads in flight
//
// How much of the L1 cache is kept for shared memory, which nobody uses here, is a setting of the launch (see the .space).

enum source { plain, readonly, texture };

static __device__ int row_of(int x, int y, int height, int slope)
{
    return (int)((y + (long long)slope * x) % height);
}

extern "C" __global__ void texture_gather_naive(float *out, const float *in, cudaTextureObject_t, int width, int height, int slope)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[(size_t)y * width + x] = in[(size_t)row_of(x, y, height, slope) * width + x];
}

extern "C" __global__ void texture_gather(float *out, const float *in, cudaTextureObject_t plane, int width, int height, int slope)
{
    const int x = blockIdx.x * BLOCK_X + threadIdx.x, first = blockIdx.y * BLOCK_Y * ROWS + threadIdx.y;
    if (x >= width || first >= height)
        return;
    const int start = row_of(x, first, height, slope); // one division; the other rows follow it
    float held[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        int row = start + r * BLOCK_Y;
        while (row >= height)
            row -= height;
        const float *const from = &in[(size_t)row * width + x];
        if (first + r * BLOCK_Y < height)
            held[r] = SOURCE == texture    ? tex2D<float>(plane, x + 0.5f, row + 0.5f)
                      : SOURCE == readonly ? __ldg(from)
                                           : *from;
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (first + r * BLOCK_Y < height)
            out[(size_t)(first + r * BLOCK_Y) * width + x] = held[r];
}
