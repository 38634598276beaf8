// Copy of an array: how many bytes a thread moves at once, how many of its loads are in flight, how large a block is.
//
// VEC         floats of a load or store: 4, 8 or 16 bytes
// UNROLL      loads of a thread in flight before the first store
// BLOCK       threads of a block
// PER_THREAD  vectors that a thread moves, BLOCK apart, so that a warp's accesses are coalesced
// LOAD        ca, cg, cs: loads are kept in L1 and L2, in L2 alone, or marked as streaming
// STORE       wb, cs: ordinary stores, or stores marked as streaming

#define PASTE(a, b) a##b
#define LOAD_AS(kind) PASTE(__ld, kind)
#define STORE_AS(kind) PASTE(__st, kind)

template <int FLOATS> struct vector;
template <> struct vector<1> { typedef float type; };
template <> struct vector<2> { typedef float2 type; };
template <> struct vector<4> { typedef float4 type; };
typedef vector<VEC>::type word;

extern "C" __global__ void copy_naive(float *out, const float *in, long long count)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}

extern "C" __global__ void __launch_bounds__(BLOCK) copy(word *__restrict__ out, const word *__restrict__ in, long long count)
{
    const long long vectors = count / VEC, first = (long long)blockIdx.x * BLOCK * PER_THREAD + threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < PER_THREAD; k += UNROLL) {
        word held[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            if (first + (long long)(k + u) * BLOCK < vectors)
                held[u] = LOAD_AS(LOAD)(&in[first + (long long)(k + u) * BLOCK]);
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            if (first + (long long)(k + u) * BLOCK < vectors)
                STORE_AS(STORE)(&out[first + (long long)(k + u) * BLOCK], held[u]);
    }
}
