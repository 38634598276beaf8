// C = A B for several matrices of any sizes, with half-precision inputs, on tensor cores, which add up in single
// precision. A block computes a tile of a product. Asynchronous copies bring tiles of A and B to shared memory several
// steps ahead, and warps multiply them with mma.sync.
//
// TILE_M, TILE_N  a block's tile of C
// WARP            a warp's part of it, in squares of 32 by 32 elements. Larger parts read less shared memory, smaller
//                 ones leave room for more warps. The macros WARP_M and WARP_N are its sides; the part is halved if
//                 threads would make many narrow copies, or if few warps would share a multiprocessor
// DEPTH           depth of the tiles of A and B: columns of A, rows of B. The macro STEP is 32 instead of 64 if most of
//                 a second tile would be empty
// STAGES          pairs of tiles in shared memory
// GROUP           rows of tiles that are computed together, so that their tiles of B hit the L2 cache
// FILL            blocks per multiprocessor to reach: if there are fewer tiles, several blocks share the depth of each
//                 and add their sums to zeros; 0: never
//
// Rows that begin at odd elements cannot be copied asynchronously. A first launch packs them: it copies them to rows
// that begin at multiples of PITCH elements, a cache line. Short rows are not packed, because the launch would cost
// more than it saves. Rows that begin at multiples of 4 or 8 bytes are packed, too, if many tiles need them and the
// launch pays or is needed anyway, because copies of 16 bytes then save more.
//
// The macros PACK_A and PACK_B choose the matrices that are packed, and COPY_A and COPY_B are the elements of one copy,
// as the alignment of the rows allows: 8, 4, 2 or 1. The sizes are not macros, so that other sizes need no compilation.

#include <cuda_fp16.h>

enum {
    warps_m = TILE_M / WARP_M,
    warps_n = TILE_N / WARP_N,
    threads = warps_m * warps_n * 32,
    tile_a = TILE_M * STEP,
    pair_of_tiles = tile_a + STEP * TILE_N,
    parts_m = WARP_M / 16,
    parts_n = WARP_N / 16
};

extern "C" __global__ void batched_gemm_any_naive(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    const int blocks = (m + blockDim.y - 1) / blockDim.y, col = blockIdx.y * blockDim.x + threadIdx.x;
    const int row = blockIdx.x % blocks * blockDim.y + threadIdx.y;
    const size_t matrix = blockIdx.x / blocks;
    float sum = 0;
    if (row >= m || col >= n)
        return;
    a += (matrix * m + row) * k;
    b += matrix * k * n + col;
    for (int i = 0; i < k; i++)
        sum += __half2float(a[i]) * __half2float(b[(size_t)i * n]);
    c[(matrix * m + row) * n + col] = sum;
}

// Returns the distance of packed rows, which are whole cache lines, for rows of `width` elements.
static __device__ int packed_pitch(int width)
{
    return (width + PITCH - 1) / PITCH * PITCH;
}

// The two elements from element `at` of a row of `width` elements on; zeros beyond it. They are one word of 4 bytes, or
// halves of two words.
struct raw_pair {
    unsigned low, high;
};

static __device__ raw_pair read_pair(const unsigned short *row, int at, int width, bool odd)
{
    const unsigned short *const from = row + at;
    raw_pair pair = {0, 0};
    if (at + 1 < width || (at < width && odd))
        pair.low = *(const unsigned *)(odd ? from - 1 : from);
    else if (at < width)
        pair.low = *from;
    if (odd && at + 1 < width)
        pair.high = from[1];
    return pair;
}

static __device__ unsigned pair_of(raw_pair pair, bool odd)
{
    return odd ? __byte_perm(pair.low, pair.high, 0x5432) : pair.low;
}

// A warp copies a row of A or of B, and fills it up with zeros.
extern "C" __global__ void pack(__half *packed_a, __half *packed_b, const __half *a, const __half *b, long long rows_a,
                                long long rows_b, int k, int n)
{
    const long long number = (long long)blockIdx.x * blockDim.y + threadIdx.y;
    const bool of_a = number < rows_a;
    const size_t row = of_a ? number : number - rows_a;
    const int width = of_a ? k : n, pitch = packed_pitch(width);
    const unsigned short *const from = (const unsigned short *)(of_a ? a : b) + row * width;
    unsigned *const to = (unsigned *)((of_a ? packed_a : packed_b) + row * pitch);
    const bool odd = (size_t)from % 4 != 0;
    if (number >= rows_a + rows_b)
        return;
    for (int i = threadIdx.x; i < pitch / 2; i += 32 * 4) {
        raw_pair pairs[4];
#pragma unroll
        for (int u = 0; u < 4; u++)
            pairs[u] = read_pair(from, (i + u * 32) * 2, width, odd);
#pragma unroll
        for (int u = 0; u < 4; u++)
            if (i + u * 32 < pitch / 2)
                to[i + u * 32] = pair_of(pairs[u], odd);
    }
}

extern "C" __global__ void clear(float *c, long long count)
{
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (long long)gridDim.x * blockDim.x)
        c[i] = 0;
}

// Row and column of tile number `number`, in an order that takes GROUP rows of tiles together.
struct place {
    int row, col;
};

static __device__ place place_of(int number, int tiles_m, int tiles_n)
{
    const int first = number / (GROUP * tiles_n) * GROUP, rows = min(tiles_m - first, GROUP);
    return {first + number % (GROUP * tiles_n) % rows, number % (GROUP * tiles_n) / rows};
}

static __device__ unsigned shared_address(const void *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}

// Returns the place of chunk number `chunk` of 8 elements of a row of a tile. One chunk of eight rows is spread over
// different banks.
template <int WIDTH> static __device__ int chunk_at(int row, int chunk)
{
    enum { chunks = WIDTH / 8, rows = chunks < 8 ? 8 / chunks : 1 }; // rows of 128 bytes
    return row * WIDTH + (chunk ^ row / rows % (chunks < 8 ? chunks : 8)) * 8;
}

// Copies a tile of ROWS rows of WIDTH elements with all threads of a block, AT_ONCE elements at once.
template <int ROWS, int WIDTH, int AT_ONCE> struct copier {
    enum { words = WIDTH / AT_ONCE, count = ROWS * words, copies = (count + threads - 1) / threads, unroll = AT_ONCE > 1 ? copies : 8 };

    // A thread's first row and column. Those of its other copies are at constant distances.
    static __device__ int row() { return threadIdx.x / words; }
    static __device__ int col() { return threadIdx.x % words * AT_ONCE; }

    // Copies from a matrix that continues for `rows` rows and `cols` columns from the tile's first element on. `from`:
    // this thread's element. Elements outside the matrix become zero.
    static __device__ void fetch(__half *tile, const __half *from, int pitch, int rows, int cols)
    {
#pragma unroll unroll
        for (int u = 0; u < copies; u++) {
            const int down = u * threads / words, right = u * threads % words * AT_ONCE;
            const int at_row = row() + down, at_col = col() + right;
            const bool inside = at_row < rows && at_col < cols;
            const __half *const source = from + (unsigned)down * pitch + right;
            __half *const to = &tile[chunk_at<WIDTH>(at_row, at_col / 8) + at_col % 8];
            if (count % threads != 0 && u * threads + (int)threadIdx.x >= count)
                continue;
            if (AT_ONCE == 8)
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(source),
                             "r"(inside ? 16 : 0) : "memory");
            else if (AT_ONCE > 1)
                asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared_address(to)), "l"(source),
                             "n"(AT_ONCE == 4 ? 8 : 4), "r"(inside ? AT_ONCE * 2 : 0) : "memory");
            else
                *(unsigned short *)to = inside ? *(const unsigned short *)source : 0;
        }
    }
};

static __device__ void load_matrices(unsigned (&four)[4], const __half *at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(four[0]), "=r"(four[1]), "=r"(four[2]), "=r"(four[3])
                 : "r"(shared_address(at))
                 : "memory");
}

static __device__ void load_turned_matrices(unsigned (&four)[4], const __half *at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(four[0]), "=r"(four[1]), "=r"(four[2]), "=r"(four[3])
                 : "r"(shared_address(at))
                 : "memory");
}

static __device__ void multiply_add(float *d, const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// The part of a warp's tiles from 16 columns of A and 16 rows of B.
struct fragment {
    unsigned a[parts_m][4], b[parts_n][4];

    __device__ void load(const __half *tiles, int row, int col, int k)
    {
        const int lane = threadIdx.x % 32;
#pragma unroll
        for (int i = 0; i < parts_m; i++)
            load_matrices(a[i], &tiles[chunk_at<STEP>(row + i * 16 + lane % 16, k * 2 + lane / 16)]);
#pragma unroll
        for (int j = 0; j < parts_n; j++)
            load_turned_matrices(b[j], &tiles[tile_a + chunk_at<TILE_N>(k * 16 + lane % 16, col / 8 + j * 2 + lane / 16)]);
    }

    __device__ void multiply(float (&sum)[parts_m][parts_n * 8]) const
    {
#pragma unroll
        for (int i = 0; i < parts_m; i++)
#pragma unroll
            for (int turn = 0; turn < parts_n; turn++) {
                const int j = i % 2 ? parts_n - 1 - turn : turn;
                multiply_add(&sum[i][j * 8], a[i], b[j][0], b[j][1]);
                multiply_add(&sum[i][j * 8 + 4], a[i], b[j][2], b[j][3]);
            }
    }
};

// Stores the sums of a row that four neighbouring threads hold, two each of every eight columns.
static __device__ void store(float *c, const float (&sum)[parts_n * 8], int row, int col, int m, int n, bool shared)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int j = 0; j < parts_n * 2; j++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const int at_row = row + lane / 4 + half * 8, at_col = col + j * 8 + lane % 4 * 2;
            const float *const pair = &sum[j * 4 + half * 2];
            float *const to = &c[(size_t)at_row * n + at_col];
            if (at_row >= m || at_col >= n)
                continue;
            if (shared) {
                atomicAdd(to, pair[0]);
                if (at_col + 1 < n)
                    atomicAdd(to + 1, pair[1]);
            } else if (n % 2 == 0) {
                *(float2 *)to = make_float2(pair[0], pair[1]);
            } else {
                to[0] = pair[0];
                if (at_col + 1 < n)
                    to[1] = pair[1];
            }
        }
}

typedef copier<TILE_M, STEP, COPY_A> copier_a;
typedef copier<STEP, TILE_N, COPY_B> copier_b;

// The tiles of A and B that a block multiplies, step by step.
struct feed {
    const __half *a, *b; // a thread's own elements
    int pitch_a, pitch_b, rows, cols, depth; // remainder of the matrices

    __device__ void next(__half *tiles)
    {
        copier_a::fetch(tiles, a, pitch_a, rows, depth);
        copier_b::fetch(tiles + tile_a, b, pitch_b, depth, cols);
        a += STEP;
        b += (size_t)STEP * pitch_b;
        depth -= STEP;
    }
};

static __device__ void commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until the next tiles have arrived for all threads, and no thread uses the last ones.
static __device__ void wait_for_tiles()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(threads)
    batched_gemm_any(float *__restrict__ c, const __half *__restrict__ a, const __half *__restrict__ b,
                     const __half *__restrict__ packed_a, const __half *__restrict__ packed_b, int m, int n, int k,
                     int split)
{
    extern __shared__ uint4 stages[];
    __half *const shared = (__half *)stages;
    const int tiles_m = (m + TILE_M - 1) / TILE_M, tiles_n = (n + TILE_N - 1) / TILE_N, tile_count = tiles_m * tiles_n;
    const place tile = place_of(blockIdx.x % tile_count, tiles_m, tiles_n);
    const int part = blockIdx.x / tile_count % split;
    const size_t matrix = blockIdx.x / tile_count / split;
    const int warp = threadIdx.x / 32, row = warp % warps_m * WARP_M, col = warp / warps_m * WARP_N;
    const int all_steps = (k + STEP - 1) / STEP, first = (unsigned)all_steps * part / split;
    const int steps = (unsigned)all_steps * (part + 1) / split - first;
    feed left = {PACK_A ? packed_a : a, PACK_B ? packed_b : b, PACK_A ? packed_pitch(k) : k, PACK_B ? packed_pitch(n) : n,
                 m - tile.row * TILE_M, n - tile.col * TILE_N, k - first * STEP};
    left.a += (matrix * m + tile.row * TILE_M + copier_a::row()) * left.pitch_a + first * STEP + copier_a::col();
    left.b += (matrix * k + first * STEP + copier_b::row()) * left.pitch_b + tile.col * TILE_N + copier_b::col();

#pragma unroll
    for (int s = 0; s < STAGES - 1; s++) {
        if (s < steps)
            left.next(shared + s * pair_of_tiles);
        commit();
    }
    wait_for_tiles();
    float sum[parts_m][parts_n * 8] = {};
    fragment parts[2];
    const __half *tiles = shared;
    int used = 0;
    parts[0].load(tiles, row, col, 0);
    for (int step = 0; step < steps; step++) {
#pragma unroll
        for (int d = 0; d < STEP / 16; d++) {
            if (d == STEP / 16 - 1) {
                wait_for_tiles();
                used = used + 1 == STAGES ? 0 : used + 1;
                tiles = shared + used * pair_of_tiles;
            }
            parts[(d + 1) % 2].load(tiles, row, col, (d + 1) % (STEP / 16));
            if (d == 0) {
                if (step + STAGES - 1 < steps)
                    left.next(shared + (used == 0 ? STAGES - 1 : used - 1) * pair_of_tiles);
                commit();
            }
            parts[d % 2].multiply(sum);
        }
    }
    c += matrix * m * n;
#pragma unroll
    for (int i = 0; i < parts_m; i++)
        store(c, sum[i], tile.row * TILE_M + row + i * 16, tile.col * TILE_N + col, m, n, split > 1);
}
