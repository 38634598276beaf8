// C = A B of row-major matrices, from a shared tile to register tiles: a block computes a tile of C from tiles of A and B that it
// keeps in shared memory; a thread computes REG_M x REG_N values of it, so that each value read from shared memory is used several
// times. While one pair of tiles is used, the next ones are on their way.
//
// TILE_M, TILE_N  a block's tile of C, rows and columns
// TILE_K          depth of the tiles of A and B
// REG_M, REG_N    a thread's part of the tile: rows BLOCK_M apart, columns in vectors BLOCK_N vectors apart
// WARP_N          threads of a warp along a row of C; the others lie along a column
// VEC             floats that a thread copies to shared memory at once
// COPY            sync: tiles pass through registers; async: __pipeline_memcpy_async
// STAGES          pairs of tiles in shared memory
// RESIDENT        blocks that a multiprocessor should hold: the compiler gives their threads fewer registers
// GROUP           rows of tiles that are computed side by side, so that their tiles of B are found in the L2 cache

#include <cuda_pipeline.h>

enum copy { sync, async };
enum {
    vec_n = REG_N < 4 ? REG_N : 4, // columns of a thread that lie side by side
    block_m = TILE_M / REG_M,      // threads along a column, and along a row
    block_n = TILE_N / REG_N,
    threads = block_m * block_n,
    depth = TILE_K < 4 ? TILE_K : 4, // columns of A that a thread reads at once
    pitch_a = TILE_K + 4,            // a row of a tile of A in shared memory: rows begin in different banks
    tile_a = TILE_M * pitch_a,
    tile_b = TILE_K * TILE_N,
    vectors_a = TILE_M * TILE_K / VEC, // to copy
    vectors_b = TILE_K * TILE_N / VEC,
    copies_a = (vectors_a + threads - 1) / threads, // of a thread
    copies_b = (vectors_b + threads - 1) / threads,
    later = STAGES > 1 ? STAGES - 2 : 0 // pairs of tiles that may still be on their way when one is used
};

template <int FLOATS> struct vector;
template <> struct vector<1> { typedef float type; };
template <> struct vector<2> { typedef float2 type; };
template <> struct vector<4> { typedef float4 type; };
typedef vector<VEC>::type word;

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

// Where vector number i of a tile lies in its matrix and in shared memory.
struct place {
    size_t from;
    int to;
};

static __device__ place place_a(int i, int k)
{
    const int row = i / (TILE_K / VEC), col = i % (TILE_K / VEC) * VEC;
    return {(size_t)row * k + col, row * pitch_a + col};
}

static __device__ place place_b(int i, int n)
{
    const int row = i / (TILE_N / VEC), col = i % (TILE_N / VEC) * VEC;
    return {(size_t)row * n + col, row * TILE_N + col};
}

// A pair of tiles: those that begin at `a` and `b`. Asynchronous copies end in shared memory, the others in registers.
struct carrier {
    word held_a[COPY == sync ? copies_a : 1], held_b[COPY == sync ? copies_b : 1];

    __device__ void fetch(const float *a, const float *b, int n, int k, float *shared)
    {
#pragma unroll
        for (int u = 0; u < copies_a; u++) {
            const int i = u * threads + threadIdx.x;
            const place at = place_a(i, k);
            if (vectors_a % threads != 0 && i >= vectors_a)
                continue;
            if (COPY == async)
                __pipeline_memcpy_async(&shared[at.to], &a[at.from], sizeof(word));
            else
                held_a[u] = *(const word *)&a[at.from];
        }
#pragma unroll
        for (int u = 0; u < copies_b; u++) {
            const int i = u * threads + threadIdx.x;
            const place at = place_b(i, n);
            if (vectors_b % threads != 0 && i >= vectors_b)
                continue;
            if (COPY == async)
                __pipeline_memcpy_async(&shared[tile_a + at.to], &b[at.from], sizeof(word));
            else
                held_b[u] = *(const word *)&b[at.from];
        }
    }

    __device__ void put(float *shared)
    {
#pragma unroll
        for (int u = 0; u < copies_a; u++)
            if (vectors_a % threads == 0 || u * threads + threadIdx.x < vectors_a)
                *(word *)&shared[place_a(u * threads + threadIdx.x, 0).to] = held_a[u];
#pragma unroll
        for (int u = 0; u < copies_b; u++)
            if (vectors_b % threads == 0 || u * threads + threadIdx.x < vectors_b)
                *(word *)&shared[tile_a + place_b(u * threads + threadIdx.x, 0).to] = held_b[u];
    }
};

static __device__ void multiply(float (&sum)[REG_M][REG_N], const float *shared, int x, int y)
{
    const float *const from_a = shared + y * pitch_a, *const from_b = shared + tile_a + x * vec_n;
#pragma unroll 4
    for (int k = 0; k < TILE_K; k += depth) {
        pack<depth> a[REG_M];
#pragma unroll
        for (int i = 0; i < REG_M; i++)
            a[i].whole = *(const vector<depth>::type *)&from_a[i * block_m * pitch_a + k];
#pragma unroll
        for (int d = 0; d < depth; d++) {
            pack<vec_n> b[REG_N / vec_n];
#pragma unroll
            for (int j = 0; j < REG_N / vec_n; j++)
                b[j].whole = *(const vector<vec_n>::type *)&from_b[(k + d) * TILE_N + j * block_n * vec_n];
#pragma unroll
            for (int i = 0; i < REG_M; i++)
#pragma unroll
                for (int j = 0; j < REG_N; j++)
                    sum[i][j] += a[i].part[d] * b[j / vec_n].part[j % vec_n];
        }
    }
}

// The place of a lane in its warp's patch of WARP_N columns. Of four neighbours, two share a row and two a column: loads of 16
// bytes from shared memory, which serve a quarter of a warp at a time, then serve two quarters at once.
static __device__ int lane_x(int lane)
{
    return WARP_N == 32 ? lane : lane % 2 + lane / 4 * 2 % WARP_N;
}

static __device__ int lane_y(int lane)
{
    return WARP_N == 32 ? 0 : lane / 2 % 2 + lane / (2 * WARP_N) * 2;
}

extern "C" __global__ void __launch_bounds__(threads, RESIDENT)
    matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int m, int n, int k)
{
    extern __shared__ float4 stages[]; // STAGES pairs of tiles
    float *const shared = (float *)stages;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps_n = block_n / WARP_N;
    const int x = warp % warps_n * WARP_N + lane_x(lane), y = warp / warps_n * (32 / WARP_N) + lane_y(lane);
    const int tiles_m = m / TILE_M, tiles_n = n / TILE_N;
    const int first = blockIdx.x / (GROUP * tiles_n) * GROUP, rows = min(tiles_m - first, GROUP);
    const int tile_row = (first + blockIdx.x % (GROUP * tiles_n) % rows) * TILE_M;
    const int tile_col = blockIdx.x % (GROUP * tiles_n) / rows * TILE_N;
    a += (size_t)tile_row * k;
    b += tile_col;

    carrier carry;
    float sum[REG_M][REG_N] = {};
    const int steps = k / TILE_K;
    if (COPY == async) {
#pragma unroll
        for (int s = 0; s < STAGES - 1; s++) {
            if (s < steps)
                carry.fetch(a + s * TILE_K, b + (size_t)s * TILE_K * n, n, k, shared + s * (tile_a + tile_b));
            __pipeline_commit();
        }
    } else {
        carry.fetch(a, b, n, k, shared);
        carry.put(shared);
        __syncthreads();
    }
    int used = 0;
    for (int step = 0; step < steps; step++) {
        const int next = step + (COPY == async ? STAGES - 1 : 1);
        const float *const next_a = a + (size_t)next * TILE_K, *const next_b = b + (size_t)next * TILE_K * n;
        if (COPY == async) {
            __pipeline_wait_prior(later);      // the tiles of this step are here,
            __syncthreads();                   // for all threads, and nobody uses those of the step before
            const int free = used == 0 ? STAGES - 1 : used - 1;
            if (next < steps)
                carry.fetch(next_a, next_b, n, k, shared + free * (tile_a + tile_b));
            __pipeline_commit();
        } else if (next < steps) {
            carry.fetch(next_a, next_b, n, k, shared);
        }
        multiply(sum, shared + used * (tile_a + tile_b), x, y);
        used = used + 1 == STAGES ? 0 : used + 1;
        if (COPY == sync) {
            if (STAGES == 1)
                __syncthreads();
            if (next < steps)
                carry.put(shared + used * (tile_a + tile_b));
            __syncthreads();
        }
    }
#pragma unroll
    for (int i = 0; i < REG_M; i++)
#pragma unroll
        for (int j = 0; j < REG_N; j += vec_n) {
            pack<vec_n> result;
#pragma unroll
            for (int v = 0; v < vec_n; v++)
                result.part[v] = sum[i][j + v];
            *(vector<vec_n>::type *)&c[(size_t)(tile_row + y + i * block_m) * n + tile_col + x * vec_n + j * block_n] =
                result.whole;
        }
}
