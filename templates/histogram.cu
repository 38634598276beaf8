// How often each byte value occurs: 256 counters that all threads want. Counters of its own per block, in shared memory, keep the
// traffic away from device memory; several replicas of them per block keep threads away from each other. With a replica per
// lane, side by side, every lane has its own bank.
//
// REPLICAS  counters of a block: 256 times this; 0: the counters in device memory are used directly
// OWNER     which replica a thread adds to: by_lane or by_warp
// PLACE     apart: replica after replica; beside: the replicas of a counter side by side
// BYTES     of a load: 4 or 16
// UNROLL    loads of a thread in flight
// BLOCK     threads of a block
//
// How many blocks there are per multiprocessor is a parameter of the launch (see the .space).

enum owner { by_lane, by_warp };
enum place { apart, beside };
enum { values = 256 };

template <int WIDTH> struct vector;
template <> struct vector<4> { typedef unsigned type; };
template <> struct vector<16> { typedef uint4 type; };

union pack {
    vector<BYTES>::type whole;
    unsigned char part[BYTES];
};

extern "C" __global__ void histogram_naive(unsigned *out, const unsigned char *in, long long count)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        atomicAdd(&out[in[i]], 1u);
}

static __device__ int place_of(int value, int replica)
{
    return PLACE == beside ? value * REPLICAS + replica : replica * values + value;
}

static __device__ void add(unsigned *out, unsigned *counters, int value, int replica)
{
    if (REPLICAS == 0)
        atomicAdd(&out[value], 1u);
    else
        atomicAdd(&counters[place_of(value, replica)], 1u);
}

extern "C" __global__ void histogram(unsigned *out, const unsigned char *__restrict__ in, long long count)
{
    extern __shared__ unsigned counters[]; // REPLICAS times 256
    const vector<BYTES>::type *const words = (const vector<BYTES>::type *)in;
    const long long end = count / BYTES, step = (long long)gridDim.x * BLOCK;
    const int replica = REPLICAS == 0 ? 0 : (OWNER == by_lane ? threadIdx.x : threadIdx.x / 32) % (REPLICAS + !REPLICAS);
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
                    add(out, counters, held[u].part[b], replica);
    }
    if (blockIdx.x == 0 && threadIdx.x < count % BYTES) // what is left of the last word
        add(out, counters, in[end * BYTES + threadIdx.x], replica);
    __syncthreads();
    if (REPLICAS == 0)
        return;
    for (int value = threadIdx.x; value < values; value += BLOCK) {
        unsigned sum = 0;
#pragma unroll 4
        for (int r = 0; r < REPLICAS; r++)
            sum += counters[place_of(value, (r + threadIdx.x) % (REPLICAS + !REPLICAS))]; // turned: no two of a warp in one bank
        if (sum)
            atomicAdd(&out[value], sum);
    }
}
