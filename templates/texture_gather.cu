// A gather with locality in two dimensions: out[y][x] = in[(y + slope * x) % height][x]. The reads of a warp go diagonally across
// the plane, each to another line of memory, and neighbouring warps want the rest of the same lines. The way through the caches
// and the shape of the blocks decide which cache serves them.
//
// The limit is the copy ceiling: each point moves once in and once out.
//
// SOURCE   plain: ordinary loads; readonly: __ldg; texture: fetches of a texture object over the same memory; shared: a warp reads
//          along rows of the plane, and shared memory turns them to diagonals
// BLOCK_X  threads of a block along a row
// BLOCK_Y  threads of a block down a column
// ROWS     points of a thread, BLOCK_Y rows apart, with all of their loads in flight
//
// How much of the L1 cache is kept for shared memory is a setting of the launch (see the .space).

enum source { plain, readonly, texture, shared };
enum { rows = BLOCK_Y * ROWS }; // of a block

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

static __device__ void fetch(float *to, const float *from)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory");
#else
    *to = *from;
#endif
}

static __device__ void wait()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// Reads rows of the plane, as far as the block needs them. Each point has a place of its own in the tile, in the bank of its lane.
static __device__ void through_shared(float *__restrict__ out, const float *__restrict__ in, int width, int height, int slope)
{
    extern __shared__ float tile[]; // `rows` rows of BLOCK_X points
    const int x = blockIdx.x * BLOCK_X + threadIdx.x, first = blockIdx.y * rows;
    const int start = row_of(blockIdx.x * BLOCK_X, first, height, slope);
#pragma unroll 4
    for (int r = threadIdx.y; r < rows + slope * (BLOCK_X - 1); r += BLOCK_Y) {
        const int y = r - slope * (int)threadIdx.x;
        int row = start + r;
        while (row >= height)
            row -= height;
        if (y >= 0 && y < rows && x < width && first + y < height)
            fetch(&tile[y * BLOCK_X + threadIdx.x], &in[(size_t)row * width + x]);
    }
    wait();
    __syncthreads();
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int y = threadIdx.y + r * BLOCK_Y;
        if (x < width && first + y < height)
            out[(size_t)(first + y) * width + x] = tile[y * BLOCK_X + threadIdx.x];
    }
}

extern "C" __global__ void texture_gather(float *out, const float *in, cudaTextureObject_t plane, int width, int height, int slope)
{
    const int x = blockIdx.x * BLOCK_X + threadIdx.x, first = blockIdx.y * rows + threadIdx.y;
    if (SOURCE == shared) {
        through_shared(out, in, width, height, slope);
        return;
    }
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
