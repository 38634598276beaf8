// One pass of a radix sort from the highest bits on. It groups keys by their digit, the highest BITS bits; the digits
// ascend, and keys of the same digit have any order. A block counts the digits in its tile of the keys, gets a place
// for the keys of each digit, and moves them there. More bits need fewer passes, but write shorter runs; times are
// compared per key and bit. Several orders are right, so an accept kernel, radix_sort_wrong, judges the result.
//
// BITS     bits of a digit
// RESERVE  source of a block's places. scan: prefix sums of the counts of all tiles; atomic: additions to counters for
//          the whole grid
// RANK     source of a key's place in its block. atomics: additions to counters in shared memory; match: the lanes of a
//          warp with the same digit find each other first, and one of them adds for all
// STAGE    direct: keys are written from registers, each to its place; shared: they are ordered in shared memory first,
//          so that neighbouring threads write adjacent keys
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

// Counts keys with a smaller digit than the previous key. Also adds the hashes of all original keys minus those of the
// keys: 0 unless keys were lost or changed.
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

// Returns the sum up to and including this lane's value.
static __device__ unsigned sum_to_lane(unsigned value)
{
#pragma unroll
    for (int apart = 1; apart < 32; apart *= 2) {
        const unsigned lower = __shfl_up_sync(~0u, value, apart);
        value += threadIdx.x % 32 >= apart ? lower : 0;
    }
    return value;
}

// Stores in `before` the sum of all earlier counts for each digit, by the first 32 threads.
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

// Counts the digits of each tile or, with RESERVE == atomic, of all tiles together.
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

// One block per digit. Replaces the counts of the tiles by those of all earlier tiles, and stores the total.
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
        __syncthreads(); // the warps' sums have been read
    }
    if (threadIdx.x == 0)
        starts[blockIdx.x] = carry;
}

// One warp. Computes the begin of each digit from the counts.
extern "C" __global__ void scan_digits(unsigned *starts)
{
    __shared__ unsigned count[digits];
    for (int d = threadIdx.x; d < digits; d += 32)
        count[d] = starts[d];
    __syncwarp();
    scan_counts(starts, count);
}

// Returns the place of a key among those of its digit in this block. All lanes of a warp must call it.
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
    __shared__ unsigned found[digits];    // number of keys of the tile with each digit,
    __shared__ unsigned before[digits];   // with lower digits,
    __shared__ unsigned place[digits];    // and the place of the first one
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
