// C = A^T B, as BLAS libraries for several vendors compute it: a block computes a tile of C from tiles of A and B, a thread
// TILE_M / THREADS_M x TILE_N / THREADS_N values of it. A has K rows and M columns, B has K rows and N columns, so that both tiles
// are read along their rows.
//
// TILE_M, TILE_N        a block's tile of C, rows and columns
// TILE_K                rows of the tiles of A and B
// THREADS_M, THREADS_N  threads of a block along a column and a row of its tile
// COPY_M, COPY_N        threads that copy one row of a tile of A, and of B, to shared memory
// VEC_M, VEC_N          floats of A, and of B, that a thread copies and reads at once
// SPREAD_M, SPREAD_N    1: the vectors of a thread are THREADS_M (THREADS_N) vectors apart, 0: they are adjacent
// SHARED_A, SHARED_B    1: the tile is copied to shared memory, 0: the threads read it where it is
// UNROLL                rows of the tiles that one iteration of the inner loop multiplies
// PIPELINE              none: the tiles are used, then replaced; registers: the next tiles are read into registers meanwhile;
//                       buffers: and end in a second pair of tiles in shared memory
// GROUP                 rows of tiles that are computed side by side, so that their tiles of B are found in the L2 cache

enum pipeline { none, registers, buffers };
enum {
    threads = THREADS_M * THREADS_N,
    each_m = TILE_M / THREADS_M, // values of a thread
    each_n = TILE_N / THREADS_N,
    vectors_m = each_m / VEC_M,
    vectors_n = each_n / VEC_N,
    tile_a = SHARED_A ? TILE_K * TILE_M : 0, // in shared memory
    tile_b = SHARED_B ? TILE_K * TILE_N : 0,
    rows_a = threads / COPY_M, // rows that are copied at once
    rows_b = threads / COPY_N,
    copies_a = SHARED_A ? TILE_K * TILE_M / VEC_M / threads : 1, // of a thread
    copies_b = SHARED_B ? TILE_K * TILE_N / VEC_N / threads : 1
};

template <int FLOATS> struct vector;
template <> struct vector<1> { typedef float type; };
template <> struct vector<2> { typedef float2 type; };
template <> struct vector<4> { typedef float4 type; };

template <int FLOATS> union pack {
    typename vector<FLOATS>::type whole;
    float part[FLOATS];
};

extern "C" __global__ void gemm_naive(float *c, const float *a, const float *b, int m, int n, int k)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += a[(size_t)i * m + row] * b[(size_t)i * n + col];
    c[(size_t)row * n + col] = sum;
}

// Offset of vector `v` of thread `t` out of `count` in a row of a tile.
template <int FLOATS, int EACH, bool SPREAD> static __device__ int place(int v, int t, int count)
{
    return SPREAD ? (v * count + t) * FLOATS : t * EACH + v * FLOATS;
}

// Copies a tile of TILE_K rows of `TILE` floats to shared memory, by way of registers.
template <int TILE, int FLOATS, int COPY, int ROWS, int COPIES> struct carrier {
    typedef typename vector<FLOATS>::type word;
    enum { across = TILE < COPY * FLOATS ? 1 : TILE / (COPY * FLOATS) }; // vectors of a thread in a row
    word held[COPIES];

    __device__ void fetch(const float *from, int pitch)
    {
#pragma unroll
        for (int i = 0; i < COPIES; i++)
            held[i] = *(const word *)&from[(size_t)row(i) * pitch + col(i)];
    }

    __device__ void put(float *tile)
    {
#pragma unroll
        for (int i = 0; i < COPIES; i++)
            *(word *)&tile[row(i) * TILE + col(i)] = held[i];
    }

    static __device__ int row(int i)
    {
        return i / across * ROWS + threadIdx.x / COPY;
    }

    static __device__ int col(int i)
    {
        return (i % across * COPY + threadIdx.x % COPY) * FLOATS;
    }
};

// Adds the products of TILE_K rows. `a` and `b` begin at the tiles, in shared memory or not.
static __device__ void multiply(float (&sum)[each_m][each_n], const float *a, int pitch_a, const float *b, int pitch_b, int x,
                                int y)
{
#pragma unroll 1
    for (int first = 0; first < TILE_K; first += UNROLL) {
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            pack<VEC_M> left[vectors_m];
            pack<VEC_N> right[vectors_n];
#pragma unroll
            for (int v = 0; v < vectors_m; v++)
                left[v].whole = *(const vector<VEC_M>::type *)&a[(size_t)(first + u) * pitch_a +
                                                                 place<VEC_M, each_m, SPREAD_M>(v, y, THREADS_M)];
#pragma unroll
            for (int v = 0; v < vectors_n; v++)
                right[v].whole = *(const vector<VEC_N>::type *)&b[(size_t)(first + u) * pitch_b +
                                                                  place<VEC_N, each_n, SPREAD_N>(v, x, THREADS_N)];
#pragma unroll
            for (int i = 0; i < each_m; i++)
#pragma unroll
                for (int j = 0; j < each_n; j++)
                    sum[i][j] += left[i / VEC_M].part[i % VEC_M] * right[j / VEC_N].part[j % VEC_N];
        }
    }
}

extern "C" __global__ void __launch_bounds__(threads)
    gemm(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int m, int n, int k)
{
    extern __shared__ float4 tiles[]; // one or two tiles of A, then as many of B
    float *const shared_a = (float *)tiles, *const shared_b = shared_a + (PIPELINE == buffers ? 2 : 1) * tile_a;
    const int x = threadIdx.x % THREADS_N, y = threadIdx.x / THREADS_N;
    const int tiles_m = m / TILE_M, tiles_n = n / TILE_N;
    const int first = blockIdx.x / (GROUP * tiles_n) * GROUP, rows = min(tiles_m - first, GROUP);
    const int tile_row = (first + blockIdx.x % (GROUP * tiles_n) % rows) * TILE_M;
    const int tile_col = blockIdx.x % (GROUP * tiles_n) / rows * TILE_N;
    a += tile_row;
    b += tile_col;

    carrier<TILE_M, VEC_M, COPY_M, rows_a, copies_a> carry_a;
    carrier<TILE_N, VEC_N, COPY_N, rows_b, copies_b> carry_b;
    float sum[each_m][each_n] = {};
    if (SHARED_A) {
        carry_a.fetch(a, m);
        carry_a.put(shared_a);
    }
    if (SHARED_B) {
        carry_b.fetch(b, n);
        carry_b.put(shared_b);
    }
    if (SHARED_A || SHARED_B)
        __syncthreads();
    int used = 0; // the tiles in use: always 0 without a second pair
#pragma unroll 1
    for (int done = 0; done < k; done += TILE_K) {
        const bool more = done + TILE_K < k;
        const float *const next_a = a + (size_t)(done + TILE_K) * m, *const next_b = b + (size_t)(done + TILE_K) * n;
        if (PIPELINE != none && more) {
            if (SHARED_A)
                carry_a.fetch(next_a, m);
            if (SHARED_B)
                carry_b.fetch(next_b, n);
        }
        multiply(sum, SHARED_A ? shared_a + used * tile_a : a + (size_t)done * m, SHARED_A ? TILE_M : m,
                 SHARED_B ? shared_b + used * tile_b : b + (size_t)done * n, SHARED_B ? TILE_N : n, x, y);
        if (PIPELINE == buffers)
            used = 1 - used;
        else if (SHARED_A || SHARED_B)
            __syncthreads(); // all threads have read the tiles
        if (more) {
            if (PIPELINE == none && SHARED_A)
                carry_a.fetch(next_a, m);
            if (PIPELINE == none && SHARED_B)
                carry_b.fetch(next_b, n);
            if (SHARED_A)
                carry_a.put(shared_a + used * tile_a);
            if (SHARED_B)
                carry_b.put(shared_b + used * tile_b);
        }
        if (SHARED_A || SHARED_B)
            __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < each_m; i++)
#pragma unroll
        for (int v = 0; v < vectors_n; v++) {
            const int row = place<VEC_M, each_m, SPREAD_M>(i / VEC_M, y, THREADS_M) + i % VEC_M;
            pack<VEC_N> result;
#pragma unroll
            for (int j = 0; j < VEC_N; j++)
                result.part[j] = sum[i][v * VEC_N + j];
            *(vector<VEC_N>::type *)&c[(size_t)(tile_row + row) * n + tile_col + place<VEC_N, each_n, SPREAD_N>(v, x, THREADS_N)] =
                result.whole;
        }
}
