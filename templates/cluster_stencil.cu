// Steps of a star-shaped stencil on a plane, several of them in each launch: how blocks that compute neighbouring tiles exchange
// their edges. A tile that takes several steps alone needs ghost cells around it, RADIUS for each step but the first, that its
// neighbours compute too. Blocks of a group exchange their edges after each step, so that only the cells around the whole group are
// computed twice, and more steps of a launch pay. Cells beyond the edge of the plane are zero.
//
// The limit is the greater of two times. Single-precision arithmetic: 4 RADIUS + 1 instructions for each cell and step, of which a
// multiprocessor executes 128 a clock cycle; 0.27 ms on an H200 at the default sizes. Memory: the plane read once and written once
// at the copy ceiling; 0.13 ms. Ghost cells, the exchange and accesses to shared memory add to it.
//
// EXCHANGE  push: each block writes its edges to its neighbours' shared memory, too; pull: it reads theirs; both within a thread
//           block cluster. memory: through the L2 cache, by blocks that all run at once and wait for flags, without clusters
// TILE_X    columns of a tile; a thread computes four of them
// BLOCK_Y   threads of a block down a column
// ROWS      rows of a thread, one below the other: the values of a column stay in registers
// RESIDENT  blocks that a multiprocessor should hold: the compiler limits the registers of a thread accordingly
//
// How many steps a launch takes and how many blocks form a group, one above the other, are arguments (see the .space).

enum exchange { none, push, pull, memory };
enum {
    lanes = TILE_X / 4, // threads along a row
    threads = lanes * BLOCK_Y,
    tile_y = BLOCK_Y * ROWS,
    pad = (RADIUS + 3) / 4 * 4, // columns beside a tile: whole vectors
    pitch = TILE_X + 2 * pad,
    held_rows = tile_y + 2 * RADIUS // with those above and below, which neighbours compute
};

// The plane, and how groups of blocks divide it.
struct plane {
    int width, height, blocks; // of a group
    int group_y;               // rows of a group
    int ghost_x, ghost_y;      // cells of a group that become wrong, on either side
    int out_x, out_y;          // cells of a group that are written
    long long groups;

    __device__ plane(int width, int height, int depth, int cluster) : width(width), height(height), blocks(cluster)
    {
        group_y = cluster * tile_y;
        ghost_y = RADIUS * (depth - 1);
        ghost_x = (ghost_y + 3) / 4 * 4;
        out_x = TILE_X - 2 * ghost_x;
        out_y = group_y - 2 * ghost_y;
        groups = (long long)((width + out_x - 1) / out_x) * ((height + out_y - 1) / out_y);
    }
    __device__ bool has(int x, int y) const { return x >= 0 && x < width && y >= 0 && y < height; }
};

// The tile of a block: its first cell in the plane, and the block's place in its group.
struct tile {
    int x, y, rank;
    bool first, last; // of the group
    bool edge;        // some of its cells lie beyond the edge of the plane

    __device__ tile(const plane &p, long long group) : rank(blockIdx.x % p.blocks), first(rank == 0), last(rank == p.blocks - 1)
    {
        const int across = (p.width + p.out_x - 1) / p.out_x;
        x = (int)(group % across) * p.out_x - p.ghost_x;
        y = (int)(group / across) * p.out_y - p.ghost_y + rank * tile_y;
        edge = x < 0 || y < 0 || x + TILE_X > p.width || y + tile_y > p.height;
    }
};

static __device__ int thread()
{
    return threadIdx.y * lanes + threadIdx.x;
}

// ---- The tile in shared memory ----

template <int BYTES> static __device__ void copy(float *to, const float *from, bool inside)
{
#if __CUDA_ARCH__ >= 800
    const unsigned address = (unsigned)__cvta_generic_to_shared(to);
    if (BYTES == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(inside ? 16 : 0) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(address), "l"(from), "r"(inside ? 4 : 0) : "memory");
#else
    for (int i = 0; i < BYTES / 4; i++)
        to[i] = inside ? from[i] : 0;
#endif
}

static __device__ void load(float *held, const float *in, const plane &p, const tile &t)
{
    for (int i = thread(); i < pitch / 4 * held_rows; i += threads) {
        const int x = t.x - pad + i % (pitch / 4) * 4, y = t.y - RADIUS + i / (pitch / 4);
        const long long row = (long long)y * p.width;
        if (p.width % 4 == 0) {
            copy<16>(&held[i * 4], p.has(x, y) ? &in[row + x] : in, p.has(x, y));
        } else {
#pragma unroll
            for (int v = 0; v < 4; v++)
                copy<4>(&held[i * 4 + v], p.has(x + v, y) ? &in[row + x + v] : in, p.has(x + v, y));
        }
    }
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// The same place in the shared memory of another block of the cluster.
static __device__ float *of_block(float *at, int rank)
{
    float *there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(at), "r"(rank));
    return there;
}

// All threads of the block, or of the cluster, have come so far, and see what the others wrote.
static __device__ void meet()
{
    if (EXCHANGE == push || EXCHANGE == pull)
        asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    else
        __syncthreads();
}

// ---- A step ----

static __device__ void store(float *out, const float (&cell)[4], int x, int y, int width)
{
    float *const to = &out[(size_t)y * width + x];
    if (width % 4 == 0) {
        if (x < width)
            *(float4 *)to = make_float4(cell[0], cell[1], cell[2], cell[3]);
    } else {
#pragma unroll
        for (int v = 0; v < 4; v++)
            if (x + v < width)
                to[v] = cell[v];
    }
}

// The rows of a thread: from one tile to the other or, after the LAST step, to the plane. EDGE: t.edge, so that other tiles do
// without comparisons.
template <bool LAST, bool EDGE>
static __device__ void compute(float *out, float *to, const float *from, const plane &p, const tile &t, int step)
{
    const int first = threadIdx.y * ROWS, of_group = t.rank * tile_y + first, wrong = RADIUS * step; // rows, on either side
    if (of_group + ROWS <= wrong || of_group >= p.group_y - wrong)
        return;
    const int of_tile = threadIdx.x * 4, at = (RADIUS + first) * pitch + pad + of_tile, x = t.x + of_tile;
    float *above = nullptr, *below = nullptr; // the tiles of the neighbours
    if (EXCHANGE == push && !LAST && first < RADIUS && !t.first)
        above = of_block(to, t.rank - 1);
    if (EXCHANGE == push && !LAST && first + ROWS > tile_y - RADIUS && !t.last)
        below = of_block(to, t.rank + 1);
    float column[ROWS + 2 * RADIUS][4];
#pragma unroll
    for (int i = 0; i < 2 * RADIUS; i++)
        *(float4 *)column[i] = *(const float4 *)&from[at + (i - RADIUS) * pitch];
#pragma unroll
    for (int i = 0; i < ROWS; i++) { // row by row: a thread holds no more of its column than a row needs
        float beside[4 + 2 * pad], cell[4];
        *(float4 *)column[i + 2 * RADIUS] = *(const float4 *)&from[at + (i + RADIUS) * pitch];
#pragma unroll
        for (int b = 0; b < 4 + 2 * pad; b += 4)
            if (b != pad)
                *(float4 *)&beside[b] = *(const float4 *)&from[at + i * pitch + b - pad];
#pragma unroll
        for (int v = 0; v < 4; v++)
            beside[pad + v] = column[RADIUS + i][v];
        const int row = first + i, y = t.y + row;
#pragma unroll
        for (int v = 0; v < 4; v++) {
            float around = beside[pad + v - 1] + beside[pad + v + 1] + column[RADIUS + i - 1][v] + column[RADIUS + i + 1][v];
#pragma unroll
            for (int r = 2; r <= RADIUS; r++)
                around += beside[pad + v - r] + beside[pad + v + r] + column[RADIUS + i - r][v] + column[RADIUS + i + r][v];
            cell[v] = 0.5f * beside[pad + v] + 0.125f / RADIUS * around;
            if (EDGE && !p.has(x + v, y))
                cell[v] = 0;
        }
        if (LAST) {
            if (of_group + i >= p.ghost_y && of_group + i < p.group_y - p.ghost_y && of_tile >= p.ghost_x &&
                of_tile < TILE_X - p.ghost_x && y < p.height)
                store(out, cell, x, y, p.width);
            continue;
        }
        const float4 whole = make_float4(cell[0], cell[1], cell[2], cell[3]);
        *(float4 *)&to[at + i * pitch] = whole;
        if (EXCHANGE == push && i < RADIUS && above && row < RADIUS)
            *(float4 *)&above[at + (i + tile_y) * pitch] = whole;
        if (EXCHANGE == push && i >= ROWS - RADIUS && below && row >= tile_y - RADIUS)
            *(float4 *)&below[at + (i - tile_y) * pitch] = whole;
    }
}

// ---- The exchange ----

// The vector number `i` of the RADIUS rows from `row` on.
static __device__ float4 *vector_of(float *held, int row, int i)
{
    return (float4 *)&held[(RADIUS + row + i / lanes) * pitch + pad + i % lanes * 4];
}

static __device__ void pull_edges(float *to, const tile &t)
{
    meet();
    for (int i = thread(); i < RADIUS * lanes; i += threads) {
        if (!t.first)
            *vector_of(to, -RADIUS, i) = *vector_of(of_block(to, t.rank - 1), tile_y - RADIUS, i);
        if (!t.last)
            *vector_of(to, tile_y, i) = *vector_of(of_block(to, t.rank + 1), 0, i);
    }
    __syncthreads();
}

static __device__ void wait_for(const unsigned *flag, unsigned count)
{
    unsigned seen;
    do
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    while (seen < count);
}

// Edges of a block in memory: those of even and odd exchanges, of each the upper and the lower one. `count` is the number of the
// exchange. A block writes over edges only after both neighbours have finished the exchange in between, and so have read them.
static __device__ void through_memory(float *to, float4 *edges, unsigned *flags, const tile &t, unsigned count)
{
    enum { edge = RADIUS * lanes, block = 4 * edge };
    float4 *const own = edges + (size_t)blockIdx.x * block + count % 2 * 2 * edge;
    __syncthreads();
    for (int i = thread(); i < edge; i += threads) {
        own[i] = *vector_of(to, 0, i);
        own[edge + i] = *vector_of(to, tile_y - RADIUS, i);
    }
    __threadfence();
    __syncthreads();
    if (thread() == 0) {
        asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(&flags[blockIdx.x]), "r"(count) : "memory");
        if (!t.first)
            wait_for(&flags[blockIdx.x - 1], count);
        if (!t.last)
            wait_for(&flags[blockIdx.x + 1], count);
    }
    __syncthreads();
    for (int i = thread(); i < edge; i += threads) {
        if (!t.first)
            *vector_of(to, -RADIUS, i) = __ldcg(own - block + edge + i);
        if (!t.last)
            *vector_of(to, tile_y, i) = __ldcg(own + block + i);
    }
    __syncthreads();
}

extern "C" __global__ void clear_flags(unsigned *flags, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        flags[i] = 0;
}

extern "C" __global__ void __launch_bounds__(threads, RESIDENT)
    cluster_stencil(float *__restrict__ out, const float *__restrict__ in, float4 *edges, unsigned *flags, int width, int height,
                    int depth, int cluster)
{
    extern __shared__ __align__(16) float held[];
    const plane p(width, height, depth, cluster);
    const int at_once = gridDim.x / cluster; // groups
    unsigned count = EXCHANGE == memory ? flags[blockIdx.x] : 0; // the same in all blocks of a group
    if (blockIdx.x >= at_once * cluster)
        return;
    for (long long group = blockIdx.x / cluster; group < p.groups; group += at_once) {
        const tile t(p, group);
        float *from = held, *to = held + held_rows * pitch;
        load(from, in, p, t);
        meet();
#pragma unroll 1
        for (int step = 0; step < depth - 1; step++) {
            if (t.edge)
                compute<false, true>(out, to, from, p, t, step);
            else
                compute<false, false>(out, to, from, p, t, step);
            if (EXCHANGE == memory)
                through_memory(to, edges, flags, t, ++count);
            else if (EXCHANGE == pull)
                pull_edges(to, t);
            else
                meet();
            float *const used = from;
            from = to;
            to = used;
        }
        compute<true, false>(out, to, from, p, t, depth - 1);
        if (EXCHANGE == pull || EXCHANGE == memory)
            meet(); // before a block ends whose shared memory another one reads, and before another tile is loaded
    }
}
