// Sorts pairs of a key and a value by passes over the digits of the keys, from the lowest. A block sorts its tile in
// shared memory bit by bit, and then knows where each digit of the tile begins.
typedef unsigned int uint;

#define DIGITS    (1 << BITS)
#define TILE      (BLOCK * ITEMS)
#define DIGIT(k)  ((k) >> shift & (DIGITS - 1))
#define WARPS     (BLOCK / 32)
#define FOR_ITEMS _Pragma("unroll") for (uint i = 0; i < ITEMS; ++i)

// Returns the exclusive sum over the threads of the block, and the total.
static __device__ uint blockScan(uint value, uint *total)
{
    __shared__ uint sums[WARPS];
    const uint lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint sum = value, before = 0, all = 0;
#pragma unroll
    for (uint d = 1; d < 32; d *= 2) {
        const uint other = __shfl_up_sync(0xffffffffu, sum, d);
        if (lane >= d)
            sum += other;
    }
    if (lane == 31)
        sums[warp] = sum;
    __syncthreads();
    for (uint w = 0; w < WARPS; ++w) {
        before += w < warp ? sums[w] : 0;
        all += sums[w];
    }
    __syncthreads();
    *total = all;
    return before + sum - value;
}

// Counts the digits of each tile: counts[digit][tile].
extern "C" __global__ void __launch_bounds__(BLOCK) count(uint *counts, const uint *keys, uint n, uint shift)
{
    __shared__ uint histogram[DIGITS];
    for (uint d = threadIdx.x; d < DIGITS; d += BLOCK)
        histogram[d] = 0;
    __syncthreads();
    for (uint i = blockIdx.x * TILE + threadIdx.x; i < min(n, (blockIdx.x + 1) * TILE); i += BLOCK)
        atomicAdd(&histogram[DIGIT(keys[i])], 1u);
    __syncthreads();
    for (uint d = threadIdx.x; d < DIGITS; d += BLOCK)
        counts[d * gridDim.x + blockIdx.x] = histogram[d];
}

// One block. Finds where each digit of each tile begins.
extern "C" __global__ void __launch_bounds__(BLOCK) scan(uint *counts, uint tiles)
{
    const uint all = DIGITS * tiles, share = (all + BLOCK - 1) / BLOCK, first = threadIdx.x * share;
    const uint end = min(all, first + share);
    uint sum = 0, total;
    for (uint i = first; i < end; ++i)
        sum += counts[i];
    sum = blockScan(sum, &total);
    for (uint i = first; i < end; ++i) {
        const uint here = counts[i];
        counts[i] = sum;
        sum += here;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
scatter(uint *outKeys, uint *outValues, const uint *keys, const uint *values, const uint *begins, uint n, uint shift)
{
    __shared__ uint tileKeys[TILE], tileValues[TILE], starts[DIGITS];
    const uint base = blockIdx.x * TILE, valid = min((uint)TILE, n - base), mine = threadIdx.x * ITEMS;
    for (uint i = threadIdx.x; i < TILE; i += BLOCK) { // entries behind the end sort last
        tileKeys[i] = i < valid ? keys[base + i] : 0xffffffffu;
        tileValues[i] = i < valid ? values[base + i] : 0;
    }
    __syncthreads();
    for (uint bit = shift; bit < shift + BITS; ++bit) {
        uint key[ITEMS], value[ITEMS], zeros = 0, allZeros;
        FOR_ITEMS
        {
            key[i] = tileKeys[mine + i];
            value[i] = tileValues[mine + i];
            zeros += ~key[i] >> bit & 1;
        }
        uint zero = blockScan(zeros, &allZeros), one = allZeros + mine - zero;
#if BUG == 1 // not stable: the last of a thread's ones comes first
        one += ITEMS - zeros - 1;
#endif
        FOR_ITEMS
        {
            const uint place = key[i] >> bit & 1 ?
#if BUG == 1
                one--
#else
                one++
#endif
                : zero++;
            tileKeys[place] = key[i];
            tileValues[place] = value[i];
        }
        __syncthreads();
    }
    for (uint i = threadIdx.x; i < valid; i += BLOCK)
        if (i == 0 || DIGIT(tileKeys[i]) != DIGIT(tileKeys[i - 1]))
            starts[DIGIT(tileKeys[i])] = i;
    __syncthreads();
    for (uint i = threadIdx.x; i < valid; i += BLOCK) {
        const uint digit = DIGIT(tileKeys[i]), place = begins[digit * gridDim.x + blockIdx.x] + i - starts[digit];
        outKeys[place] = tileKeys[i];
        outValues[place] = tileValues[BUG == 2 && i + 1 == valid ? 0 : i]; // 2: another's value
    }
}

extern "C" __global__ void copy(uint *to, uint n, const uint *from)
{
    const uint i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

// One block. Checks that the keys ascend, and that each pair is an original one, once. Equal keys may have their values
// in any order.
extern "C" __global__ void check(unsigned long long *wrong, const uint *keys, const uint *values, const uint *original, uint n)
{
    __shared__ uint seen[(N + 31) / 32];
    unsigned long long faults = 0;
    for (uint i = threadIdx.x; i < (N + 31) / 32; i += blockDim.x)
        seen[i] = 0;
    __syncthreads();
    for (uint i = threadIdx.x; i < n; i += blockDim.x) {
        const uint value = values[i];
        const bool right = value < n && keys[i] == original[value] && (i == 0 || keys[i - 1] <= keys[i]);
        if (!right || atomicOr(&seen[value / 32], 1u << value % 32) >> value % 32 & 1)
            ++faults;
    }
    if (faults)
        atomicAdd(wrong, faults);
}
