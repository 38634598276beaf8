// One pass of a radix sort from the highest bits on: keys that agree in their highest BITS bits, their digit, come to lie together,
// in any order, and the digits ascend. A block counts the digits in its tile of the keys, gets a place for those of each digit, and
// moves them there. More bits make fewer passes, but shorter runs to write; times are compared by key and bit. The keys of a digit
// are right in every order, so an accept kernel, radix_sort_wrong, judges the result.
//
// BITS     bits of a digit
// RESERVE  how a block gets its places. scan: from prefix sums of the counts of all tiles; atomic: by additions to counters for the
//          whole grid
// RANK     how a key gets its place among those of its block. atomics: by additions to counters in shared memory; match: the lanes
//          of a warp that have the same digit find each other first, and one of them adds for all
// STAGE    direct: keys are written from registers, each to its place; shared: they are put in order in shared memory first, so that
//          neighbouring threads write neighbouring keys
// BLOCK    threads of a block
// ITEMS    keys of a thread

enum reserve { scan, atomic };
enum rank { atomics, match };
enum stage { direct, shared };
enum { digits = 1 << BITS, tile_keys = BLOCK * ITEMS };

static __device__ unsigned mix(unsigned x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

extern "C" __global__ void copy_keys(unsigned *keys, long long count, const unsigned *from)
{
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (long long)gridDim.x * blockDim.x)
        keys[i] = from[i];
}

static __device__ unsigned long long hash(unsigned key)
{
    return (unsigned long long)mix(key) * mix(~key);
}

// Counts keys whose digit is less than that of the key before. Adds the hashes of all original keys less those of the keys, too:
// that is 0, unless keys were lost or changed.
extern "C" __global__ void radix_sort_wrong(unsigned long long *wrong, const unsigned *keys, const unsigned *original, int bits,
                                            long long count)
{
    unsigned long long sum = 0;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (long long)gridDim.x * blockDim.x)
        sum += hash(original[i]) - hash(keys[i]) + (i > 0 && keys[i] >> (32 - bits) < keys[i - 1] >> (32 - bits));
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_xor_sync(~0u, sum, apart);
    if (threadIdx.x % 32 == 0 && sum)
        atomicAdd(wrong, sum);
}

static __device__ unsigned digit_of(unsigned key)
{
    return key >> (32 - BITS);
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

// The first 32 threads: `before` gets the sums of all counts before each.
static __device__ void scan_counts(unsigned *before, const unsigned *count)
{
    unsigned carry = 0;
#pragma unroll
    for (int first = 0; first < digits; first += 32) {
        const int digit = first + threadIdx.x;
        const unsigned value = digit < digits ? count[digit] : 0, to = sum_to_lane(value);
        if (digit < digits)
            before[digit] = carry + to - value;
        carry += __shfl_sync(~0u, to, 31);
    }
}

extern "C" __global__ void clear(unsigned *starts, int count)
{
    if (threadIdx.x < count)
        starts[threadIdx.x] = 0;
}

// Counts the digits of each tile; with RESERVE == atomic, of all tiles together.
extern "C" __global__ void __launch_bounds__(BLOCK)
    histogram(unsigned *starts, unsigned *counts, const unsigned *__restrict__ keys, int tiles, long long count)
{
    __shared__ unsigned found[digits];
    const long long first = (long long)blockIdx.x * tile_keys;
    for (int d = threadIdx.x; d < digits; d += BLOCK)
        found[d] = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int at = i * BLOCK + threadIdx.x;
        if (first + at < count)
            atomicAdd(&found[digit_of(keys[first + at])], 1u);
    }
    __syncthreads();
    for (int d = threadIdx.x; d < digits; d += BLOCK)
        if (RESERVE == scan)
            counts[(size_t)d * tiles + blockIdx.x] = found[d];
        else if (found[d])
            atomicAdd(&starts[d], found[d]);
}

// A block for each digit: from the counts of the tiles those of all tiles before each, and the sum of all.
extern "C" __global__ void __launch_bounds__(1024) scan_tiles(unsigned *starts, unsigned *counts, int tiles)
{
    __shared__ unsigned of_warps[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned carry = 0;
    counts += (size_t)blockIdx.x * tiles;
    for (int first = 0; first < tiles; first += 1024) {
        const int at = first + threadIdx.x;
        const unsigned value = at < tiles ? counts[at] : 0, to = sum_to_lane(value);
        if (lane == 31)
            of_warps[warp] = to;
        __syncthreads();
        const unsigned to_warp = sum_to_lane(of_warps[lane]), before = __shfl_sync(~0u, to_warp, max(warp - 1, 0));
        if (at < tiles)
            counts[at] = carry + (warp > 0 ? before : 0) + to - value;
        carry += __shfl_sync(~0u, to_warp, 31);
        __syncthreads(); // the sums of the warps are read
    }
    if (threadIdx.x == 0)
        starts[blockIdx.x] = carry;
}

// One warp: from the counts of the digits where each begins.
extern "C" __global__ void scan_digits(unsigned *starts)
{
    __shared__ unsigned count[digits];
    for (int d = threadIdx.x; d < digits; d += 32)
        count[d] = starts[d];
    __syncwarp();
    scan_counts(starts, count);
}

// The place of a key among those of its digit in this block; all lanes of a warp call it.
static __device__ unsigned rank_of(unsigned *found, unsigned digit, bool valid)
{
    if (RANK == atomics)
        return valid ? atomicAdd(&found[digit], 1u) : 0;
    const unsigned lane = threadIdx.x % 32, peers = __match_any_sync(~0u, valid ? digit : digits);
    const int first = __ffs(peers) - 1;
    unsigned rank = 0;
    if (lane == first && valid)
        rank = atomicAdd(&found[digit], (unsigned)__popc(peers));
    return __shfl_sync(~0u, rank, first) + __popc(peers & ((1u << lane) - 1));
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    radix_sort(unsigned *__restrict__ sorted, const unsigned *__restrict__ keys, unsigned *starts,
               const unsigned *__restrict__ counts, int tiles, long long count)
{
    extern __shared__ unsigned ordered[]; // the keys of the tile
    __shared__ unsigned found[digits];    // keys of the tile with each digit,
    __shared__ unsigned before[digits];   // those with lower digits,
    __shared__ unsigned place[digits];    // where the first one goes
    const long long first = (long long)blockIdx.x * tile_keys;
    unsigned key[ITEMS], rank[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int at = i * BLOCK + threadIdx.x;
        key[i] = first + at < count ? keys[first + at] : 0;
    }
    for (int d = threadIdx.x; d < digits; d += BLOCK)
        found[d] = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        rank[i] = rank_of(found, digit_of(key[i]), first + i * BLOCK + threadIdx.x < count);
    __syncthreads();
    for (int d = threadIdx.x; d < digits; d += BLOCK)
        place[d] = RESERVE == scan ? starts[d] + counts[(size_t)d * tiles + blockIdx.x] : atomicAdd(&starts[d], found[d]);
    if (STAGE == shared && threadIdx.x < 32)
        scan_counts(before, found);
    __syncthreads();
    if (STAGE == direct) {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (first + i * BLOCK + threadIdx.x < count)
                sorted[place[digit_of(key[i])] + rank[i]] = key[i];
        return;
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (first + i * BLOCK + threadIdx.x < count)
            ordered[before[digit_of(key[i])] + rank[i]] = key[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int at = i * BLOCK + threadIdx.x;
        if (first + at < count) {
            const unsigned digit = digit_of(ordered[at]);
            sorted[place[digit] + (at - before[digit])] = ordered[at];
        }
    }
}
