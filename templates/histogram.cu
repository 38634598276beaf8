// How often each byte value occurs: 256 counters that all threads want. Counters of its own per block, in shared memory, keep the
// traffic away from device memory; several replicas of them per block keep threads away from each other. With a replica per
// lane, side by side, every lane has its own bank.
//
// The limit is the rate at which memory is read, which is close to the copy ceiling: each byte moves once. A multiprocessor adds to
// its counters, one addition for each byte, almost as long as that takes.
//
// REPLICAS  counters of a block: 256 times this; 0: the counters in device memory are used directly
// OWNER     which replica a thread adds to: by_lane or by_warp
// PLACE     apart: replica after replica; beside: the replicas of a counter side by side
// BYTES     of a load: 4 or 16
// UNROLL    loads of a thread in flight
// BLOCK     threads of a block
// BLOCKS    of the grid, for each multiprocessor, which holds them all

enum owner { by_lane, by_warp };
enum place { apart, beside };
enum {
    values = 256,
    next_value = PLACE == beside && REPLICAS > 1 ? REPLICAS * 4 : 4, // bytes from one counter of a replica to the next
    next_replica = PLACE == beside ? 4 : values * 4                  // and from one replica to the next
};

template <int WIDTH> struct vector;
template <> struct vector<4> { typedef unsigned type; };
template <> struct vector<16> { typedef uint4 type; };

union pack {
    vector<BYTES>::type whole;
    unsigned part[BYTES / 4];
};

extern "C" __global__ void histogram_naive(unsigned *out, const unsigned char *in, long long count)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        atomicAdd(&out[in[i]], 1u);
}

// Counts byte number `byte` of a word; `replica` is where the counters begin, in bytes. One instruction extracts the byte and computes
// the place of its counter.
static __device__ void add(unsigned *counters, unsigned replica, unsigned word, int byte)
{
    atomicAdd((unsigned *)((char *)counters + __dp4a(word, (unsigned)next_value << 8 * byte, replica)), 1u);
}

extern "C" __global__ void __launch_bounds__(BLOCK, BLOCKS)
    histogram(unsigned *out, const unsigned char *__restrict__ in, long long count)
{
    extern __shared__ unsigned counters[]; // REPLICAS times 256
    const vector<BYTES>::type *const words = (const vector<BYTES>::type *)in;
    const long long end = count / BYTES, step = (long long)gridDim.x * BLOCK;
    const unsigned replica = (OWNER == by_lane ? threadIdx.x : threadIdx.x / 32) % (REPLICAS + !REPLICAS) * next_replica;
    unsigned *const own = REPLICAS == 0 ? out : counters;
    for (int c = threadIdx.x; c < REPLICAS * values; c += BLOCK)
        counters[c] = 0;
    __syncthreads();
    for (long long i = (long long)blockIdx.x * BLOCK + threadIdx.x; i < end; i += UNROLL * step) {
        pack held[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            if (i + u * step < end)
                held[u].whole = words[i + u * step];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            if (i + u * step < end)
#pragma unroll
                for (int b = 0; b < BYTES; b++)
                    add(own, replica, held[u].part[b / 4], b % 4);
    }
    if (blockIdx.x == 0 && threadIdx.x < count % BYTES) // remainder of the last word
        add(own, replica, in[end * BYTES + threadIdx.x], 0);
    __syncthreads();
    if (REPLICAS == 0)
        return;
    for (int value = threadIdx.x; value < values; value += BLOCK) {
        unsigned sum = 0;
#pragma unroll 4
        for (int r = 0; r < REPLICAS; r++)
            sum += counters[(value * next_value + (r + threadIdx.x) % (REPLICAS + !REPLICAS) * next_replica) / 4]; // turned: no two
        if (sum)
            atomicAdd(&out[value], sum);
    }
}
