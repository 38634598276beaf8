// Inclusive prefix sums of an array that is cut into tiles, one for a block. Three launches, which sum the tiles, scan these sums,
// and scan each tile behind its sum, read the array twice. One launch with decoupled look-back reads it once: a block publishes the
// sum of its tile at once, adds up what the tiles before it have published, back to one that already knows its whole prefix, and
// publishes its own. Blocks take their tiles in the order in which they start, so that no block waits for one that does not run.
//
// METHOD  three: sum_tiles, scan_sums, scan; lookback: clear, scan
// BLOCK   threads of a block
// ITEMS   elements of a thread
// LAYOUT  own: a thread reads and writes ITEMS elements side by side; turned: a warp reads and writes along memory, and shared
//         memory turns its elements to such runs and back; rows: a warp scans one row of 32 vectors after the other
// VEC     elements of a load or store
// LOOK    by_thread: one thread looks back, tile by tile; by_warp: a warp looks at 32 tiles at once; by_block: all warps do

enum method { three, lookback };
enum layout { own, turned, rows };
enum look { by_thread, by_warp, by_block };
enum { vectors = ITEMS / VEC, tile_items = BLOCK * ITEMS, warps = BLOCK / 32, block_sums = 8 };

typedef unsigned long long tile_state; // the low half is a sum, the high half names its elements:
enum { of_tile = 1, of_all = 2 };      // of the tile, or of all elements up to its end; 0: it is not known yet

template <int COUNT> struct vector;
template <> struct vector<1> { typedef unsigned type; };
template <> struct vector<4> { typedef uint4 type; };
typedef vector<VEC>::type word;

union pack {
    word whole;
    unsigned part[VEC];
};

// One block: a thread adds up and then scans its part.
extern "C" __global__ void scan_naive(unsigned *out, const unsigned *in, long long count)
{
    __shared__ unsigned sums[1024];
    const long long each = (count + blockDim.x - 1) / blockDim.x, begin = each * threadIdx.x, end = min(begin + each, count);
    unsigned sum = 0;
    for (long long i = begin; i < end; i++)
        sum += in[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    sum = 0;
    for (int t = 0; t < threadIdx.x; t++)
        sum += sums[t];
    for (long long i = begin; i < end; i++)
        out[i] = sum += in[i];
}

// The sum up to and with this lane's value.
static __device__ unsigned sum_to_lane(unsigned value)
{
#pragma unroll
    for (int apart = 1; apart < 32; apart *= 2) {
        const unsigned lower = __shfl_up_sync(~0u, value, apart);
        value += threadIdx.x % 32 >= apart ? lower : 0;
    }
    return value;
}

// From the sums of the warps, that of the warps before and that of the block. `sums` has room for 32.
static __device__ unsigned sum_of_warps(unsigned *sums, unsigned sum, int count, unsigned *total)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    const unsigned to = sum_to_lane(lane < count ? sums[lane] : 0), before = __shfl_sync(~0u, to, max(warp - 1, 0));
    *total = __shfl_sync(~0u, to, 31);
    return warp == 0 ? 0 : before;
}

// ---- What three launches need ----

extern "C" __global__ void __launch_bounds__(BLOCK) sum_tiles(unsigned *sums, const unsigned *__restrict__ in, long long count)
{
    __shared__ unsigned of_warps[32];
    const long long first = (long long)blockIdx.x * tile_items;
    unsigned sum = 0, total;
#pragma unroll
    for (int i = 0; i < vectors; i++) {
        const int at = (i * BLOCK + threadIdx.x) * VEC;
        pack held = {};
        if (first + at < count)
            held.whole = *(const word *)&in[first + at];
#pragma unroll
        for (int v = 0; v < VEC; v++)
            sum += held.part[v];
    }
    sum = __shfl_sync(~0u, sum_to_lane(sum), 31);
    sum_of_warps(of_warps, sum, warps, &total);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}

// One block: from the sums of the tiles those of all tiles before each.
extern "C" __global__ void __launch_bounds__(1024) scan_sums(unsigned *sums, int tiles)
{
    __shared__ unsigned of_warps[32];
    unsigned carry = 0;
    for (int first = 0; first < tiles; first += 1024 * block_sums) {
        const int at = first + threadIdx.x * block_sums;
        unsigned held[block_sums], sum = 0, total;
#pragma unroll
        for (int i = 0; i < block_sums; i++)
            sum += held[i] = at + i < tiles ? sums[at + i] : 0;
        const unsigned to = sum_to_lane(sum);
        unsigned before = carry + to - sum + sum_of_warps(of_warps, __shfl_sync(~0u, to, 31), 32, &total);
#pragma unroll
        for (int i = 0; i < block_sums; i++) {
            if (at + i < tiles)
                sums[at + i] = before;
            before += held[i];
        }
        carry += total;
        __syncthreads(); // the sums of the warps are read
    }
}

// ---- What look-back needs ----

extern "C" __global__ void clear(tile_state *state, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        state[i] = 0;
}

// Sum and meaning are written and read together, in one word.
static __device__ void publish(tile_state *state, int meaning, unsigned sum)
{
    *(volatile tile_state *)state = (tile_state)meaning << 32 | sum;
}

static __device__ tile_state read_state(const tile_state *state)
{
    return *(const volatile tile_state *)state;
}

// The sum of all tiles before; by one thread.
static __device__ unsigned look_by_thread(const tile_state *state, int tile)
{
    unsigned sum = 0;
    for (int t = tile - 1; t >= 0; t--) {
        tile_state known;
        do
            known = read_state(&state[t]);
        while (known >> 32 == 0);
        sum += (unsigned)known;
        if (known >> 32 == of_all)
            break;
    }
    return sum;
}

// By a warp: the sum of up to 32 tiles that end with `last`, back to the nearest that knows its whole prefix; whether there is one.
static __device__ unsigned look_at(const tile_state *state, int last, bool *complete)
{
    const int lane = threadIdx.x % 32, t = last - lane;
    tile_state known;
    do
        known = t >= 0 ? read_state(&state[t]) : (tile_state)of_all << 32;
    while (__any_sync(~0u, known >> 32 == 0));
    const unsigned prefixes = __ballot_sync(~0u, known >> 32 == of_all);
    *complete = prefixes != 0;
    return __shfl_sync(~0u, sum_to_lane(lane < __ffs(prefixes) || !prefixes ? (unsigned)known : 0), 31);
}

static __device__ unsigned look_by_warp(const tile_state *state, int tile)
{
    unsigned sum = 0;
    bool complete = false;
    for (int last = tile - 1; !complete; last -= 32)
        sum += look_at(state, last, &complete);
    return sum;
}

// All warps at once, each at 32 tiles.
static __device__ unsigned look_by_block(const tile_state *state, int tile)
{
    __shared__ unsigned sums[32];
    __shared__ bool completes[32];
    const int warp = threadIdx.x / 32;
    unsigned sum = 0;
    bool complete = false;
    for (int last = tile - 1; !complete; last -= BLOCK) {
        const unsigned seen = look_at(state, last - 32 * warp, &complete);
        if (threadIdx.x % 32 == 0) {
            sums[warp] = seen;
            completes[warp] = complete;
        }
        __syncthreads();
        complete = false;
        for (int w = 0; w < warps && !complete; w++) {
            sum += sums[w];
            complete = completes[w];
        }
        __syncthreads(); // they are read
    }
    return sum;
}

// The sum of all tiles before, and publishes what this block knows.
static __device__ unsigned look_back(tile_state *state, int tile, unsigned total)
{
    __shared__ unsigned sum;
    if (threadIdx.x == 0 && tile > 0)
        publish(&state[tile], of_tile, total);
    if (threadIdx.x < (LOOK == by_block ? BLOCK : LOOK == by_warp ? 32 : 1)) {
        const unsigned before = LOOK == by_block  ? look_by_block(state, tile)
                                : LOOK == by_warp ? look_by_warp(state, tile)
                                                  : look_by_thread(state, tile);
        if (threadIdx.x == 0) {
            publish(&state[tile], of_all, before + total);
            sum = before;
        }
    }
    __syncthreads();
    return sum;
}

// ---- A tile ----

// Where vector number i of a thread begins in its tile.
static __device__ int place_of(int i)
{
    if (LAYOUT == own)
        return (threadIdx.x * vectors + i) * VEC;
    return (threadIdx.x / 32 * vectors * 32 + i * 32 + threadIdx.x % 32) * VEC;
}

// A word more for each 32 elements: the runs of the threads begin in different banks.
static __device__ int padded(int at)
{
    return at + at / 32;
}

// Vectors as they were loaded become runs of the threads, or back again; each warp by itself.
static __device__ void turn(pack (&held)[vectors], unsigned *shared, bool back)
{
#pragma unroll
    for (int i = 0; i < vectors; i++)
#pragma unroll
        for (int v = 0; v < VEC; v++)
            shared[padded(back ? threadIdx.x * ITEMS + i * VEC + v : place_of(i) + v)] = held[i].part[v];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < vectors; i++)
#pragma unroll
        for (int v = 0; v < VEC; v++)
            held[i].part[v] = shared[padded(back ? place_of(i) + v : threadIdx.x * ITEMS + i * VEC + v)];
}

static __device__ void add(pack (&held)[vectors], unsigned what)
{
#pragma unroll
    for (int i = 0; i < vectors; i++)
#pragma unroll
        for (int v = 0; v < VEC; v++)
            held[i].part[v] += what;
}

// Scans the elements of a warp; returns their sum.
static __device__ unsigned scan_warp(pack (&held)[vectors])
{
    unsigned carry = 0;
#pragma unroll
    for (int i = 0; i < vectors; i++) {
        unsigned sum = LAYOUT == rows ? 0 : carry;
#pragma unroll
        for (int v = 0; v < VEC; v++)
            held[i].part[v] = sum += held[i].part[v];
        if (LAYOUT == rows) {
            const unsigned to = sum_to_lane(sum);
#pragma unroll
            for (int v = 0; v < VEC; v++)
                held[i].part[v] += carry + to - sum;
            sum = carry + __shfl_sync(~0u, to, 31);
        }
        carry = sum;
    }
    if (LAYOUT == rows)
        return carry;
    const unsigned to = sum_to_lane(carry);
    add(held, to - carry);
    return __shfl_sync(~0u, to, 31);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    scan(unsigned *__restrict__ out, const unsigned *__restrict__ in, const unsigned *__restrict__ sums, tile_state *state,
         int tiles, long long count)
{
    extern __shared__ unsigned shared[]; // a padded tile
    __shared__ unsigned of_warps[32];
    __shared__ int taken;
    int tile = blockIdx.x;
    if (METHOD == lookback) {
        if (threadIdx.x == 0)
            taken = (int)atomicAdd(&state[tiles], 1);
        __syncthreads();
        tile = taken;
    }
    const long long first = (long long)tile * tile_items;
    pack held[vectors] = {};
#pragma unroll
    for (int i = 0; i < vectors; i++)
        if (first + place_of(i) < count)
            held[i].whole = *(const word *)&in[first + place_of(i)];
    if (LAYOUT == turned)
        turn(held, shared, false);
    unsigned total;
    const unsigned sum = scan_warp(held), before = sum_of_warps(of_warps, sum, warps, &total);
    add(held, before + (METHOD == three ? sums[tile] : look_back(state, tile, total)));
    if (LAYOUT == turned)
        turn(held, shared, true);
#pragma unroll
    for (int i = 0; i < vectors; i++)
        if (first + place_of(i) < count)
            *(word *)&out[first + place_of(i)] = held[i].whole;
}
