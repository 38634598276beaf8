// C = A B^T of row-major matrices of bfloat16, by tensor cores, which add up in single precision.
//
// METHOD          mma: warps multiply by mma.sync what cp.async copied, for all devices from compute capability 8.0
//                 wgmma: warp groups multiply what tensor copies brought; another warp group does nothing but begin these copies
// TILE_M, TILE_N  a block's tile of C
// TILE_K          depth of the tiles of A and B
// STAGES          pairs of tiles in shared memory
// GROUP           rows of tiles that are computed side by side, so that their tiles of B are found in the L2 cache
// WARPS, WARPS_M  mma: warps of a block, and how many of them lie along a column of the tile of C
// RESIDENT        mma: blocks that a multiprocessor should hold: the compiler limits the registers of a thread accordingly
// SWIZZLE         wgmma: bytes of a row in shared memory, within which chunks of 16 bytes swap places
// CONSUMERS       wgmma: warp groups that multiply
// CLUSTER         wgmma: blocks that share their tile of B; each copies a part of it to all
// STORE           wgmma: direct: from registers; tensor: tensor copies from shared memory, while the next tile is computed
//
// Tensor copies need rows that begin at a multiple of 16 bytes; for others, mma remains, with narrower copies.

enum method { mma, wgmma };
enum store_by { direct, tensor };
enum {
    warps_m = WARPS_M, // of METHOD mma
    warps_n = WARPS / WARPS_M,
    threads = WARPS * 32,
    panel = SWIZZLE / 2, // elements of a row in shared memory
    panels = TILE_K / panel,
    tile_a = TILE_M * TILE_K,
    tile_b = TILE_N * TILE_K,
    stage_bytes = (tile_a + tile_b) * 2,
    wide = ROW_BYTES % 16 == 0 ? 16 : ROW_BYTES % 4 == 0 ? 4 : 2 // bytes of a copy of METHOD mma
};
typedef unsigned short bfloat16; // as bits

struct alignas(64) tensor_map {
    unsigned char bytes[128];
};

static __device__ float wider(bfloat16 value)
{
    return __uint_as_float((unsigned)value << 16);
}

static __device__ unsigned narrow(float low, float high)
{
    unsigned both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}

extern "C" __global__ void matmul_tensor_naive(bfloat16 *c, const bfloat16 *a, const bfloat16 *b, int m, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += wider(a[(size_t)row * k + i]) * wider(b[(size_t)col * k + i]);
    c[(size_t)row * n + col] = (bfloat16)narrow(sum, 0);
}

static __device__ unsigned shared_address(const void *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}

// Row and column of tile number `number`, where GROUP rows of tiles are taken side by side.
struct place {
    int row, col;
};

static __device__ place place_of(int number, int tiles_m, int tiles_n)
{
    const int first = number / (GROUP * tiles_n) * GROUP, rows = min(tiles_m - first, GROUP);
    return {first + number % (GROUP * tiles_n) % rows, number % (GROUP * tiles_n) / rows};
}

// The sums that four neighbouring threads hold of a row: two each of every eight columns.
template <int COUNT>
static __device__ void store(bfloat16 *c, const float (&sum)[COUNT], int row, int col, int m, int n)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int j = 0; j < COUNT / 4; j++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const int at_row = row + lane / 4 + half * 8, at_col = col + j * 8 + lane % 4 * 2;
            const unsigned both = narrow(sum[j * 4 + half * 2], sum[j * 4 + half * 2 + 1]);
            bfloat16 *const to = &c[(size_t)at_row * n + at_col];
            if (at_row >= m || at_col >= n)
                continue;
            if (n % 2 == 0) {
                *(unsigned *)to = both;
            } else {
                to[0] = (bfloat16)both;
                if (at_col + 1 < n)
                    to[1] = (bfloat16)(both >> 16);
            }
        }
}

// ---- METHOD mma ----

// Where chunk number `chunk` of 8 elements of a row of a tile lies: eight rows of one chunk are in different banks.
static __device__ int chunk_at(int row, int chunk)
{
    enum { chunks = TILE_K / 8, rows = chunks < 8 ? 8 / chunks : 1 }; // rows of 128 bytes
    return row * TILE_K + (chunk ^ row / rows % (chunks < 8 ? chunks : 8)) * 8;
}

// Copies a tile of ROWS rows from a matrix that has `left` rows of k elements from there on. Rows below the matrix are copies of
// its last row, whose products nobody stores. A tile that is not WHOLE has `depth` columns; the others become zero.
template <int ROWS, bool WHOLE> static __device__ void fetch(bfloat16 *tile, const bfloat16 *from, int left, int k, int depth)
{
    enum { width = wide / 2, copies = ROWS * TILE_K / width / threads };
#pragma unroll
    for (int u = 0; u < copies; u++) {
        const int i = u * threads + threadIdx.x, row = i / (TILE_K / width), col = i % (TILE_K / width) * width;
        const bool inside = WHOLE || col < depth;
        const unsigned offset = ((unsigned)min(row, left - 1) * k + col) * 2;
        const char *const source = (const char *)from + (inside ? offset : 0);
        bfloat16 *const to = &tile[chunk_at(row, col / 8) + col % 8];
        if (wide == 16)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(source),
                         "r"(inside ? 16 : 0) : "memory");
        else if (wide == 4)
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared_address(to)), "l"(source),
                         "r"(inside ? 4 : 0) : "memory");
        else
            *to = inside ? *(const bfloat16 *)source : 0;
    }
}

static __device__ void load_matrices(unsigned (&four)[4], const bfloat16 *at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(four[0]), "=r"(four[1]), "=r"(four[2]), "=r"(four[3])
                 : "r"(shared_address(at))
                 : "memory");
}

static __device__ void multiply_add(float *d, const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

enum { rows_of_warp = TILE_M / warps_m, cols_of_warp = TILE_N / warps_n, parts_m = rows_of_warp / 16, parts_n = cols_of_warp / 16 };

// The part of a warp's tiles that 16 columns of A and B make.
struct fragment {
    unsigned a[parts_m > 0 ? parts_m : 1][4], b[parts_n > 0 ? parts_n : 1][4];

    __device__ void load(const bfloat16 *tiles, int row, int col, int k)
    {
        const int lane = threadIdx.x % 32;
#pragma unroll
        for (int i = 0; i < parts_m; i++)
            load_matrices(a[i], &tiles[chunk_at(row + i * 16 + lane % 16, k * 2 + lane / 16)]);
#pragma unroll
        for (int j = 0; j < parts_n; j++)
            load_matrices(b[j], &tiles[tile_a + chunk_at(col + j * 16 + lane % 8 + lane / 16 * 8, k * 2 + lane / 8 % 2)]);
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

static __device__ void by_warps(bfloat16 *c, const bfloat16 *a, const bfloat16 *b, int m, int n, int k, bfloat16 *shared)
{
    enum { pair_of_tiles = tile_a + tile_b };
    const place tile = place_of(blockIdx.x, (m + TILE_M - 1) / TILE_M, (n + TILE_N - 1) / TILE_N);
    const int warp = threadIdx.x / 32, row = warp % warps_m * rows_of_warp, col = warp / warps_m * cols_of_warp;
    const int left_a = m - tile.row * TILE_M, left_b = n - tile.col * TILE_N;
    const int steps = (k + TILE_K - 1) / TILE_K, shallow = k - (steps - 1) * TILE_K;
    a += (size_t)tile.row * TILE_M * k;
    b += (size_t)tile.col * TILE_N * k;

    // The first step is the shallow one, if K is no multiple of TILE_K, so that all others copy whole tiles.
    fetch<TILE_M, false>(shared, a, left_a, k, shallow);
    fetch<TILE_N, false>(shared + tile_a, b, left_b, k, shallow);
    asm volatile("cp.async.commit_group;" ::: "memory");
    a += shallow;
    b += shallow;
#pragma unroll
    for (int s = 1; s < STAGES - 1; s++) {
        if (s < steps) {
            fetch<TILE_M, true>(shared + s * pair_of_tiles, a, left_a, k, TILE_K);
            fetch<TILE_N, true>(shared + s * pair_of_tiles + tile_a, b, left_b, k, TILE_K);
            a += TILE_K;
            b += TILE_K;
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();
    float sum[parts_m][parts_n * 8] = {};
    fragment parts[2];
    const bfloat16 *tiles = shared;
    int used = 0;
    parts[0].load(tiles, row, col, 0);
    for (int step = 0; step < steps; step++) {
#pragma unroll
        for (int d = 0; d < TILE_K / 16; d++) {
            if (d == TILE_K / 16 - 1) {
                asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
                __syncthreads(); // the next tiles are here, for all threads, and no thread uses these
                used = used + 1 == STAGES ? 0 : used + 1;
                tiles = shared + used * pair_of_tiles;
            }
            parts[(d + 1) % 2].load(tiles, row, col, (d + 1) % (TILE_K / 16));
            if (d == 0) {
                bfloat16 *const to = shared + (used == 0 ? STAGES - 1 : used - 1) * pair_of_tiles;
                if (step + STAGES - 1 < steps) {
                    fetch<TILE_M, true>(to, a, left_a, k, TILE_K);
                    fetch<TILE_N, true>(to + tile_a, b, left_b, k, TILE_K);
                    a += TILE_K;
                    b += TILE_K;
                }
                asm volatile("cp.async.commit_group;" ::: "memory");
            }
            parts[d % 2].multiply(sum);
        }
    }
#pragma unroll
    for (int i = 0; i < parts_m; i++)
        store(c, sum[i], tile.row * TILE_M + row + i * 16, tile.col * TILE_N + col, m, n);
}

// ---- METHOD wgmma ----

enum {
    cluster = CLUSTER,
    rows_of_group = TILE_M / CONSUMERS,
    parts = rows_of_group / 64, // products of a warp group for each 16 columns
    arrivals = CONSUMERS * 4 * CLUSTER // warps that use a stage, in all blocks that copy to it
};

// Each stage's barriers: full when its copies are here, empty when all warps have released it.
struct barriers {
    unsigned long long full[STAGES], empty[STAGES];
};

static __device__ void init(unsigned long long *barrier, unsigned arrivals_of_phase)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals_of_phase) : "memory");
}

static __device__ void wait(unsigned long long *barrier, unsigned parity)
{
    asm volatile("{\n\t.reg .pred done;\n"
                 "again:\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
                 "@!done bra again;\n\t}" ::"r"(shared_address(barrier)), "r"(parity) : "memory");
}

static __device__ void cluster_barrier()
{
    if (cluster > 1)
        asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
    else
        __syncthreads();
}

static __device__ unsigned rank_in_cluster()
{
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return cluster > 1 ? rank : 0;
}

// The first lanes of a warp tell the blocks of the cluster, one block each, that the warp has finished with a stage.
static __device__ void release(unsigned long long *barrier)
{
    if (threadIdx.x % 32 < cluster)
        asm volatile("{\n\t.reg .b32 there;\n\t"
                     "mapa.shared::cluster.u32 there, %0, %1;\n\t"
                     "mbarrier.arrive.shared::cluster.b64 _, [there];\n\t}" ::"r"(shared_address(barrier)),
                     "r"(threadIdx.x % 32) : "memory");
}

static __device__ void copy_box(void *to, const tensor_map *map, int x, int y, unsigned long long *barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                     shared_address(to)), "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier)) : "memory");
}

static __device__ void copy_box_to_all(void *to, const tensor_map *map, int x, int y, unsigned long long *barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
                 "[%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)), "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier)),
                 "h"((unsigned short)((1 << cluster) - 1)) : "memory");
}

// Where a warp group's matrix begins in shared memory, and that eight of its rows take 8 * SWIZZLE bytes.
static __device__ unsigned long long descriptor(const void *at)
{
    const unsigned long long layout = SWIZZLE == 128 ? 1 : SWIZZLE == 64 ? 2 : 3;
    return (shared_address(at) & 0x3ffff) >> 4 | 1ull << 16 | (unsigned long long)(8 * SWIZZLE >> 4) << 32 | layout << 62;
}

#define TEN(t) "%" #t "0, %" #t "1, %" #t "2, %" #t "3, %" #t "4, %" #t "5, %" #t "6, %" #t "7, %" #t "8, %" #t "9, "
#define SUM8(i) \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define SUM32(i) SUM8(i), SUM8(i + 8), SUM8(i + 16), SUM8(i + 24)
#define WGMMA(n, sums, a, b, add) \
    "{\n\t.reg .pred add;\n\tsetp.ne.b32 add, " add ", 0;\n\t" \
    "wgmma.mma_async.sync.aligned.m64n" n "k16.f32.bf16.bf16 {" sums "}, " a ", " b ", add, 1, 1, 0, 0;\n\t}"

static __device__ void multiply_group(float (&d)[32], unsigned long long a, unsigned long long b, int add)
{
    asm volatile(WGMMA("64", TEN() TEN(1) TEN(2) "%30, %31", "%32", "%33", "%34") : SUM32(0) : "l"(a), "l"(b), "r"(add));
}

static __device__ void multiply_group(float (&d)[64], unsigned long long a, unsigned long long b, int add)
{
    asm volatile(WGMMA("128", TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) "%60, %61, %62, %63", "%64", "%65", "%66")
                 : SUM32(0), SUM32(32)
                 : "l"(a), "l"(b), "r"(add));
}

static __device__ void multiply_group(float (&d)[128], unsigned long long a, unsigned long long b, int add)
{
    asm volatile(WGMMA("256",
                       TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(10)
                           TEN(11) "%120, %121, %122, %123, %124, %125, %126, %127",
                       "%128", "%129", "%130")
                 : SUM32(0), SUM32(32), SUM32(64), SUM32(96)
                 : "l"(a), "l"(b), "r"(add));
}

typedef float sums_of_group[parts > 0 ? parts : 1][TILE_N / 2];

// Copies a warp group's tile from registers to shared memory, 64 columns after 64 columns, swizzled, and from there to C.
static __device__ void store_tensor(const tensor_map *map_c, char *staged, const sums_of_group &sum, int row, int col, int group)
{
    enum { columns = 64, bytes = rows_of_group * columns * 2 };
    const int lane = threadIdx.x % 32, warp = threadIdx.x % 128 / 32;
    char *const own = staged + group * rows_of_group * TILE_N * 2;
    if (threadIdx.x % 128 == 0) // the copies of the tile before this one have read it
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    asm volatile("bar.sync %0, 128;" ::"r"(1 + group) : "memory");
#pragma unroll
    for (int i = 0; i < parts; i++)
#pragma unroll
        for (int j = 0; j < TILE_N / 8; j += 2) {
            const int at_row = i * 64 + warp * 16 + lane % 16, chunk = j % 8 + lane / 16;
            const float *const d = &sum[i][j * 4];
            char *const to = own + j / 8 * bytes + at_row * columns * 2 + (chunk ^ at_row % 8) * 16;
            asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(to)),
                         "r"(narrow(d[0], d[1])), "r"(narrow(d[2], d[3])), "r"(narrow(d[4], d[5])), "r"(narrow(d[6], d[7]))
                         : "memory");
        }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("bar.sync %0, 128;" ::"r"(1 + group) : "memory");
    if (threadIdx.x % 128 == 0) {
#pragma unroll
        for (int p = 0; p < TILE_N / columns; p++)
            asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map_c),
                         "r"(col + p * columns), "r"(row), "r"(shared_address(own + p * bytes)) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
}

// The tiles of a block. A cluster takes tiles that lie one above the other, one for each block, then those as many places on as
// there are clusters.
struct walk {
    int number, count, tiles_m, tiles_n;

    __device__ walk(int m, int n)
        : number(blockIdx.x / cluster), tiles_m((m + cluster * TILE_M - 1) / (cluster * TILE_M)), tiles_n((n + TILE_N - 1) / TILE_N)
    {
        count = tiles_m * tiles_n;
    }
    __device__ bool more() const { return number < count; }
    __device__ void step() { number += gridDim.x / cluster; }
    __device__ place tile(unsigned rank) const
    {
        const place at = place_of(number, tiles_m, tiles_n);
        return {(at.row * cluster + (int)rank) * TILE_M, at.col * TILE_N};
    }
};

// One thread begins all copies of a block to the stages that are empty.
static __device__ void produce(const tensor_map *map_a, const tensor_map *map_b, int m, int n, int k, char *stages,
                               barriers *barrier)
{
    const unsigned rank = rank_in_cluster();
    int stage = 0;
    unsigned parity = 1; // of the phase before the first, which is over
    for (walk w(m, n); w.more(); w.step()) {
        const place at = w.tile(rank);
        for (int depth = 0; depth < k; depth += TILE_K) {
            char *const a = stages + stage * stage_bytes, *const b = a + tile_a * 2;
            unsigned long long *const full = &barrier->full[stage];
            wait(&barrier->empty[stage], parity);
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(full)), "r"((int)stage_bytes)
                         : "memory");
#pragma unroll
            for (int p = 0; p < panels; p++) {
                copy_box(a + p * TILE_M * SWIZZLE, map_a, depth + p * panel, at.row, full);
                char *const to = b + p * TILE_N * SWIZZLE + rank * (TILE_N / cluster) * SWIZZLE;
                if (cluster > 1)
                    copy_box_to_all(to, map_b, depth + p * panel, at.col + (int)rank * (TILE_N / cluster), full);
                else
                    copy_box(to, map_b, depth + p * panel, at.col, full);
            }
            stage = stage + 1 == STAGES ? 0 : stage + 1;
            parity ^= stage == 0;
        }
    }
}

// A warp group multiplies what the full stages contain.
static __device__ void consume(bfloat16 *c, const tensor_map *map_c, int m, int n, int k, char *stages, barriers *barrier,
                               int group)
{
    const unsigned rank = rank_in_cluster();
    int stage = 0;
    unsigned parity = 0;
    for (walk w(m, n); w.more(); w.step()) {
        const place at = w.tile(rank);
        sums_of_group sum;
        for (int depth = 0; depth < k; depth += TILE_K) {
            const char *const a = stages + stage * stage_bytes + group * rows_of_group * SWIZZLE;
            const char *const b = stages + stage * stage_bytes + tile_a * 2;
            wait(&barrier->full[stage], parity);
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
            for (int d = 0; d < TILE_K / 16; d++)
#pragma unroll
                for (int i = 0; i < parts; i++) {
                    const int p = d * 16 / panel, within = d * 16 % panel * 2;
                    multiply_group(sum[i], descriptor(a + p * TILE_M * SWIZZLE + i * 64 * SWIZZLE + within),
                                   descriptor(b + p * TILE_N * SWIZZLE + within), depth + d > 0);
                }
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory"); // no product uses the stage before this one
            if (depth > 0)
                release(&barrier->empty[stage == 0 ? STAGES - 1 : stage - 1]);
            stage = stage + 1 == STAGES ? 0 : stage + 1;
            parity ^= stage == 0;
        }
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        release(&barrier->empty[stage == 0 ? STAGES - 1 : stage - 1]);
        const int row = at.row + group * rows_of_group;
        if (STORE == tensor)
            store_tensor(map_c, stages + STAGES * stage_bytes, sum, row, at.col, group);
#pragma unroll
        for (int i = 0; STORE == direct && i < parts; i++)
            store(c, sum[i], row + i * 64 + threadIdx.x % 128 / 32 * 16, at.col, m, n);
    }
    if (STORE == tensor && threadIdx.x % 128 == 0)
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

static __device__ void by_groups(bfloat16 *c, const tensor_map *map_a, const tensor_map *map_b, const tensor_map *map_c, int m,
                                 int n, int k, char *shared)
{
    __shared__ barriers barrier;
    char *const stages = shared + (1024 - shared_address(shared) % 1024) % 1024;
    const int group = threadIdx.x / 128;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            init(&barrier.full[s], 1);
            init(&barrier.empty[s], arrivals);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_barrier();
    if (group == CONSUMERS) {
        if (CONSUMERS > 1)
            asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x % 128 == 0)
            produce(map_a, map_b, m, n, k, stages, &barrier);
        __syncwarp();
    } else {
        if (CONSUMERS > 1)
            asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        consume(c, map_c, m, n, k, stages, &barrier, group);
    }
    cluster_barrier(); // no block ends while others copy to it
}

extern "C" __global__ void __launch_bounds__(METHOD == mma ? WARPS * 32 : (CONSUMERS + 1) * 128, RESIDENT)
    matmul_tensor(bfloat16 *__restrict__ c, const bfloat16 *__restrict__ a, const bfloat16 *__restrict__ b,
                  const __grid_constant__ tensor_map map_a, const __grid_constant__ tensor_map map_b,
                  const __grid_constant__ tensor_map map_c, int m, int n, int k)
{
    extern __shared__ uint4 shared[];
    if constexpr (METHOD == mma)
        by_warps(c, a, b, m, n, k, (bfloat16 *)shared);
    else
        by_groups(c, &map_a, &map_b, &map_c, m, n, k, (char *)shared);
}
