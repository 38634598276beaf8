// Matrix transpose in three ways. Rows of both matrices are whole tiles.
//
// METHOD     registers: a thread turns 4 x 4 values before it writes them to shared memory; ring: blocks stay, and asynchronous
//            copies fill a ring of tiles ahead of the stores; tensor: tensor copies in and out, turned between two tiles
// TILE       edge of the square tile
// THREADS    of a block
// STAGES     tiles in shared memory, of a ring
// RESIDENT   blocks on each multiprocessor, of a ring
// SWAP_GRID  1: consecutive blocks walk down a column of tiles instead of along a row

enum method { registers, ring, tensor };
enum { vectors = TILE / 4, lines = THREADS / vectors };

struct alignas(64) tensor_map {
    unsigned char bytes[128];
};

union pack {
    float4 whole;
    float part[4];
};

struct corner {
    int x, y;
};

extern "C" __global__ void transpose_naive(float *out, const float *in, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

static __device__ corner corner_of(int number, int rows, int cols)
{
    const int across = cols / TILE, down = rows / TILE;
    return SWAP_GRID ? corner{number / down * TILE, number % down * TILE} : corner{number % across * TILE, number / across * TILE};
}

static __device__ unsigned shared_address(const void *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}

// ---- 4 x 4 values turned in registers: vectors are written to shared memory, and read from it ----

static __device__ void by_registers(float *out, const float *in, int rows, int cols, float4 *tile)
{
    const corner at = corner_of(blockIdx.x, rows, cols);
#pragma unroll
    for (int square = 0; square < vectors * vectors; square += THREADS) {
        const int x = (square + threadIdx.x) % vectors, y = (square + threadIdx.x) / vectors;
        pack from[4];
#pragma unroll
        for (int i = 0; i < 4; i++)
            from[i].whole = *(const float4 *)&in[(size_t)(at.y + y * 4 + i) * cols + at.x + x * 4];
#pragma unroll
        for (int i = 0; i < 4; i++)
            tile[(x * 4 + i) * vectors + (y ^ x % 8)] =
                make_float4(from[0].part[i], from[1].part[i], from[2].part[i], from[3].part[i]);
    }
    __syncthreads();
#pragma unroll
    for (int line = 0; line < TILE; line += lines) {
        const int x = line + threadIdx.x / vectors, y = threadIdx.x % vectors;
        *(float4 *)&out[(size_t)(at.x + x) * rows + at.y + y * 4] = tile[x * vectors + (y ^ x / 4 % 8)];
    }
}

// ---- A ring of asynchronous copies ----

static __device__ void fetch(float4 *tile, const float *in, int number, int count, int rows, int cols)
{
    if (number < count) {
        const corner at = corner_of(number, rows, cols);
#pragma unroll
        for (int line = 0; line < TILE; line += lines) {
            const int x = threadIdx.x % vectors, y = line + threadIdx.x / vectors;
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&tile[y * vectors + (x ^ y / 4 % 8)])),
                         "l"(&in[(size_t)(at.y + y) * cols + at.x + x * 4]) : "memory");
        }
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// A warp writes 128 bytes of each of four rows: so its reads share no bank.
static __device__ void by_ring(float *out, const float *in, int rows, int cols, float4 *tiles)
{
    const int count = rows / TILE * (cols / TILE);
    int stage = 0;
    for (int s = 0; s < STAGES - 1; s++)
        fetch(tiles + s * TILE * vectors, in, blockIdx.x + s * gridDim.x, count, rows, cols);
    for (int number = blockIdx.x; number < count; number += gridDim.x) {
        const corner at = corner_of(number, rows, cols);
        const float *tile = (const float *)(tiles + stage * TILE * vectors);
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
        __syncthreads(); // the tile is there, and the one before has been read
        fetch(tiles + (stage == 0 ? STAGES - 1 : stage - 1) * TILE * vectors, in, number + (STAGES - 1) * gridDim.x, count, rows, cols);
#pragma unroll
        for (int part = 0; part < TILE * vectors; part += THREADS) {
            const int piece = (part + threadIdx.x) / 32, lane = threadIdx.x % 32;
            const int x = piece / (vectors / 8) * 4 + lane / 8, y = piece % (vectors / 8) * 8 + lane % 8;
            pack p;
#pragma unroll
            for (int i = 0; i < 4; i++)
                p.part[i] = tile[(y * 4 + i) * TILE + (x / 4 ^ y % 8) * 4 + x % 4];
            *(float4 *)&out[(size_t)(at.x + x) * rows + at.y + y * 4] = p.whole;
        }
        stage = stage + 1 == STAGES ? 0 : stage + 1;
    }
}

// ---- Tensor copies ----

// The engine exchanges the vectors of a row of 128 bytes by an exclusive or with the row's number. The order in which a thread takes
// four values of a column leaves no two threads of a warp on one bank, neither as they read nor as they write.
static __device__ void by_tensor_copies(const tensor_map *out, const tensor_map *in, int rows, int cols, float *tile)
{
    enum { panel = TILE * 32 };
    __shared__ unsigned long long full;
    const corner at = corner_of(blockIdx.x, rows, cols);
    float *turned = tile + TILE * TILE;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&full)), "n"(TILE * TILE * 4)
                     : "memory");
        for (int p = 0; p < TILE / 32; p++)
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
                             "r"(shared_address(tile + p * panel)), "l"(in), "r"(at.x + p * 32), "r"(at.y), "r"(shared_address(&full))
                         : "memory");
    }
    __syncthreads();
    asm volatile("{\n\t.reg .pred done;\n"
                 "again:\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n\t"
                 "@!done bra again;\n\t}" ::"r"(shared_address(&full)) : "memory");
#pragma unroll
    for (int part = 0; part < TILE * vectors; part += THREADS) {
        const int piece = (part + threadIdx.x) / 32, lane = threadIdx.x % 32;
        const int x = piece / (vectors / 8) * 4 + lane / 8, group = piece % (vectors / 8), vector = lane % 8;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int value = i ^ (vector >> 1) ^ (x & 3) ^ (x >> 1 & 1), y = group * 32 + vector * 4 + value;
            turned[group * panel + x * 32 + (vector ^ x % 8) * 4 + value] =
                tile[x / 32 * panel + y * 32 + (x / 4 % 8 ^ y % 8) * 4 + x % 4];
        }
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int p = 0; p < TILE / 32; p++)
            asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(out),
                         "r"(at.y + p * 32), "r"(at.x), "r"(shared_address(turned + p * panel)) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}

extern "C" __global__ void __launch_bounds__(THREADS)
    transpose_designs(float *__restrict__ out, const float *__restrict__ in, const __grid_constant__ tensor_map map_out,
                      const __grid_constant__ tensor_map map_in, int rows, int cols)
{
    extern __shared__ __align__(1024) char memory[];
    if constexpr (METHOD == registers)
        by_registers(out, in, rows, cols, (float4 *)memory);
    else if constexpr (METHOD == ring)
        by_ring(out, in, rows, cols, (float4 *)memory);
    else
        by_tensor_copies(&map_out, &map_in, rows, cols, (float *)(memory + (1024 - shared_address(memory) % 1024) % 1024));
}
