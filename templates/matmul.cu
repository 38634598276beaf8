// C = A B of row-major matrices of any size, from a shared tile to register tiles. A block computes a tile of C from
// tiles of A and B in shared memory. A thread computes REG_M x REG_N values of it, so that each value read from shared
// memory is used several times. Tiles of A are stored by columns, so that a thread reads four rows at once. Copies and
// loads run ahead: the next tiles arrive while one pair is used, and the next column of A and row of B are loaded while
// one of each is multiplied.
//
// The limit is the rate of single-precision multiply-adds, 128 per multiprocessor and clock cycle. Loads from shared
// memory and address arithmetic take about a tenth of the issue slots.
//
// TILE_M, TILE_N  a block's tile of C, rows and columns
// TILE_K          depth of the tiles of A and B
// REG_M, REG_N    a thread's part of the tile: groups of up to four rows and columns
// WARP_N          threads of a warp along a row of C; the rest along a column
// VEC             floats that a thread copies to shared memory at once: as many as the rows allow if REG_M > 1
// COPY            sync: tiles pass through registers; async: __pipeline_memcpy_async; mixed: A through registers, which
//                 turn it
// STAGES          pairs of tiles in shared memory
// SLICES          groups of threads that compute the same tile of C, each from its part of the depth of the tiles of A
//                 and B: more warps if C has few tiles
// RESIDENT        resident blocks per multiprocessor, for which the compiler limits the registers of a thread
// GROUP           rows of tiles that are computed together, so that their tiles of B hit the L2 cache

#include <cuda_pipeline.h>

enum copy { sync, async, mixed };
enum {
    vec_m = REG_M < 4 ? REG_M : 4, // adjacent rows and columns of a thread
    vec_n = REG_N < 4 ? REG_N : 4,
    block_m = TILE_M / REG_M, // threads along a column, and along a row
    block_n = TILE_N / REG_N,
    group = block_m * block_n, // threads that compute a whole tile of C
    threads = group * SLICES,
    slice = TILE_K / SLICES, // depth that a group multiplies
    through_a = COPY != async, // registers
    through_b = COPY == sync,
    vec_a = through_a ? VEC : 1, // asynchronous copies transpose A value by value
    across = 8,                  // floats of a row of A that neighbours copy: a sector of 32 bytes
    pitch_a = TILE_M + 4,        // a column of A in shared memory: columns begin in different banks
    tile_a = TILE_K * pitch_a,
    tile_b = TILE_K * TILE_N,
    pair_of_tiles = tile_a + tile_b,
    vectors_a = TILE_M * TILE_K / vec_a, // number of vectors to copy
    vectors_b = TILE_K * TILE_N / VEC,
    copies_a = (vectors_a + threads - 1) / threads, // copies per thread
    copies_b = (vectors_b + threads - 1) / threads,
    ahead = COPY == async ? STAGES - 1 : 1 // steps between the copy of a tile and its use
};

template <int FLOATS> struct vector;
template <> struct vector<1> { typedef float type; };
template <> struct vector<2> { typedef float2 type; };
template <> struct vector<4> { typedef float4 type; };

template <int FLOATS> union pack {
    typename vector<FLOATS>::type whole;
    float part[FLOATS];
};

extern "C" __global__ void matmul_naive(float *c, const float *a, const float *b, int m, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
    c[(size_t)row * n + col] = sum;
}

// Row and column of a thread's vector number u in a tile of A, or of B.
struct place {
    int row, col;
};

static __device__ place place_a(int u)
{
    enum { lanes = across / vec_a };
    const int i = u * threads + threadIdx.x, line = i / lanes;
    return {line % TILE_M, line / TILE_M * across + i % lanes * vec_a};
}

static __device__ place place_b(int u)
{
    const int i = u * threads + threadIdx.x;
    return {i / (TILE_N / VEC), i % (TILE_N / VEC) * VEC};
}

// Offsets within a tile fit 32 bits, which saves registers.
static __device__ const float *offset(const float *base, unsigned floats)
{
    return (const float *)((const char *)base + floats * (unsigned)sizeof(float));
}

// Copies pairs of tiles. If a matrix is smaller than a tile, rows of A and columns of B beyond its edge repeat the
// edge, and their products are not stored.
struct carrier {
    const float *a, *b; // matrices, from the next tile on
    int rows, cols;     // from the block's tile to the matrices' edges
    int n, k;
    pack<vec_a> held_a[through_a ? copies_a : 1];
    pack<VEC> held_b[through_b ? copies_b : 1];

    // Beyond `depth`, the tiles are zero.
    template <bool WHOLE> __device__ void fetch(float *shared, int depth)
    {
#pragma unroll
        for (int u = 0; u < copies_a; u++) {
            const place at = place_a(u);
            if (vectors_a % threads != 0 && u * threads + threadIdx.x >= vectors_a)
                continue;
            const float *const from = offset(a, (unsigned)min(at.row, rows - 1) * k + at.col);
            const bool inside = WHOLE || at.col < depth;
            if (through_a && inside)
                held_a[u].whole = *(const typename vector<vec_a>::type *)from;
            else if (through_a)
                held_a[u] = {};
            else
                __pipeline_memcpy_async(&shared[at.col * pitch_a + at.row], inside ? from : a, vec_a * sizeof(float),
                                        inside ? 0 : vec_a * sizeof(float));
        }
#pragma unroll
        for (int u = 0; u < copies_b; u++) {
            const place at = place_b(u);
            if (vectors_b % threads != 0 && u * threads + threadIdx.x >= vectors_b)
                continue;
            const float *const from = offset(b, (unsigned)at.row * n + min(at.col, cols - VEC));
            const bool inside = WHOLE || at.row < depth;
            if (through_b && inside)
                held_b[u].whole = *(const typename vector<VEC>::type *)from;
            else if (through_b)
                held_b[u] = {};
            else
                __pipeline_memcpy_async(&shared[tile_a + at.row * TILE_N + at.col], inside ? from : b, VEC * sizeof(float),
                                        inside ? 0 : VEC * sizeof(float));
        }
        if (COPY != sync)
            __pipeline_commit();
        a += depth;
        b += (size_t)depth * n;
    }

    // Stores the registers of fetch().
    __device__ void put(float *shared)
    {
#pragma unroll
        for (int u = 0; through_a && u < copies_a; u++) {
            const place at = place_a(u);
            if (vectors_a % threads == 0 || u * threads + threadIdx.x < vectors_a)
#pragma unroll
                for (int v = 0; v < vec_a; v++)
                    shared[(at.col + v) * pitch_a + at.row] = held_a[u].part[v];
        }
#pragma unroll
        for (int u = 0; through_b && u < copies_b; u++) {
            const place at = place_b(u);
            if (vectors_b % threads == 0 || u * threads + threadIdx.x < vectors_b)
                *(typename vector<VEC>::type *)&shared[tile_a + at.row * TILE_N + at.col] = held_b[u].whole;
        }
    }
};

// The part of a column of A and of a row of B that a thread multiplies.
struct fragment {
    pack<vec_m> a[REG_M / vec_m];
    pack<vec_n> b[REG_N / vec_n];

    __device__ void load(const float *from_a, const float *from_b, int k)
    {
#pragma unroll
        for (int i = 0; i < REG_M / vec_m; i++)
            a[i].whole = *(const vector<vec_m>::type *)&from_a[k * pitch_a + i * block_m * vec_m];
#pragma unroll
        for (int j = 0; j < REG_N / vec_n; j++)
            b[j].whole = *(const vector<vec_n>::type *)&from_b[k * TILE_N + j * block_n * vec_n];
    }

    // Alternates the direction along the rows: consecutive products share an operand.
    __device__ void multiply(float (&sum)[REG_M][REG_N]) const
    {
#pragma unroll
        for (int i = 0; i < REG_M; i++)
#pragma unroll
            for (int turn = 0; turn < REG_N; turn++) {
                const int j = i % 2 ? REG_N - 1 - turn : turn;
                sum[i][j] += a[i / vec_m].part[i % vec_m] * b[j / vec_n].part[j % vec_n];
            }
    }
};

// Returns the place of a lane in its warp's patch of WARP_N columns. In each four neighbours, two share a row and two a
// column. A load of 16 bytes from shared memory serves a quarter of a warp at a time, and then serves two quarters at
// once.
static __device__ int lane_x(int lane)
{
    return WARP_N == 32 ? lane : lane % 2 + lane / 4 * 2 % WARP_N;
}

static __device__ int lane_y(int lane)
{
    return WARP_N == 32 ? 0 : lane / 2 % 2 + lane / (2 * WARP_N) * 2;
}

static __device__ void store(float *c, const float (&sum)[REG_M][REG_N], int row, int col, int m, int n)
{
    enum { width = VEC < vec_n ? VEC : vec_n };
#pragma unroll
    for (int i = 0; i < REG_M; i++) {
        const int at_row = row + i / vec_m * block_m * vec_m + i % vec_m;
        if (at_row >= m)
            continue;
#pragma unroll
        for (int j = 0; j < REG_N; j += width) {
            const int at_col = col + j / vec_n * block_n * vec_n + j % vec_n;
            pack<width> result;
#pragma unroll
            for (int v = 0; v < width; v++)
                result.part[v] = sum[i][j + v];
            if (at_col < n)
                *(typename vector<width>::type *)&c[(size_t)at_row * n + at_col] = result.whole;
        }
    }
}

// Returns the begin of a tile. The last tile of a row or column of tiles begins early enough to end at the matrix's
// edge, and computes some of its neighbour's values again. A tile beyond the edge would need copies of one value to
// several places, which take up to three times as long.
static __device__ int within(int number, int tile, int length)
{
    return max(0, min(number * tile, length - tile));
}

// Adds up the sums of all groups, through shared memory, in the first group.
static __device__ void add_up(float (&sum)[REG_M][REG_N], float *shared)
{
    const int own = threadIdx.x % group, number = threadIdx.x / group;
#pragma unroll
    for (int s = 1; s < SLICES; s++) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < REG_M * REG_N; i++)
            if (number == s)
                shared[i * group + own] = sum[i / REG_N][i % REG_N];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < REG_M * REG_N; i++)
            if (number == 0)
                sum[i / REG_N][i % REG_N] += shared[i * group + own];
    }
}

extern "C" __global__ void __launch_bounds__(threads, RESIDENT)
    matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int m, int n, int k)
{
    extern __shared__ float4 stages[]; // STAGES pairs of tiles
    float *const shared = (float *)stages;
    const int lane = threadIdx.x % 32, warp = threadIdx.x % group / 32, warps_n = block_n / WARP_N;
    const int x = (warp % warps_n * WARP_N + lane_x(lane)) * vec_n, y = (warp / warps_n * (32 / WARP_N) + lane_y(lane)) * vec_m;
    const int tiles_m = (m + TILE_M - 1) / TILE_M, tiles_n = (n + TILE_N - 1) / TILE_N;
    const int first = blockIdx.x / (GROUP * tiles_n) * GROUP, rows = min(tiles_m - first, GROUP);
    const int tile_row = within(first + blockIdx.x % (GROUP * tiles_n) % rows, TILE_M, m);
    const int tile_col = within(blockIdx.x % (GROUP * tiles_n) / rows, TILE_N, n);
    const int part = threadIdx.x / group * slice; // of the depth
    const int steps = (k + TILE_K - 1) / TILE_K;

    // If K is not a multiple of TILE_K, the first step is the shallow one, so that all others copy whole tiles.
    carrier carry = {a + (size_t)tile_row * k, b + tile_col, m - tile_row, n - tile_col, n, k};
    carry.fetch<false>(shared, k - (steps - 1) * TILE_K);
    carry.put(shared);
#pragma unroll
    for (int s = 1; s < ahead; s++)
        if (s < steps)
            carry.fetch<true>(shared + s * pair_of_tiles, TILE_K);
        else
            __pipeline_commit();
    if (COPY != sync)
        __pipeline_wait_prior(ahead - 1);
    __syncthreads();

    float sum[REG_M][REG_N] = {};
    fragment parts[2];
    const float *from_a = shared + part * pitch_a + y, *from_b = shared + tile_a + part * TILE_N + x;
    parts[0].load(from_a, from_b, 0);
    int used = 0;
    for (int step = 0; step < steps; step++) {
        const int free = (used + ahead) % STAGES; // tiles no longer in use
        const bool more = step + ahead < steps;
#pragma unroll
        for (int d = 0; d < slice; d++) {
            if (d == 0) {
                if (more)
                    carry.fetch<true>(shared + free * pair_of_tiles, TILE_K);
                else if (COPY != sync)
                    __pipeline_commit();
            }
            if (d == slice - 1) {
                if (STAGES == 1)
                    __syncthreads();
                if (more)
                    carry.put(shared + free * pair_of_tiles);
                if (COPY != sync)
                    __pipeline_wait_prior(ahead - 1);
                __syncthreads(); // the next tiles have arrived, and all threads have used these
                used = used + 1 == STAGES ? 0 : used + 1;
                from_a = shared + used * pair_of_tiles + part * pitch_a + y;
                from_b = shared + used * pair_of_tiles + tile_a + part * TILE_N + x;
            }
            parts[(d + 1) % 2].load(from_a, from_b, (d + 1) % slice);
            parts[d % 2].multiply(sum);
        }
    }
    add_up(sum, shared);
    if (threadIdx.x < group)
        store(c, sum, tile_row + y, tile_col + x, m, n);
}
