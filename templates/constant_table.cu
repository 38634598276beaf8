// A table that every thread reads: out[i] = in[i] * table[entry of i]. Constant memory serves one address of a warp at a time,
// shared memory one of each bank, the caches one line; so the place to keep the table depends on how many entries a warp wants at
// once: neighbouring i have DISTINCT different ones in turn. Compare `-D DISTINCT=1,2,4,8,16,32`.
//
// TABLE       constant: constant memory, filled before the launch; shared: copied to shared memory by every block; global: ordinary
//             loads; readonly: loads through the read-only path
// VEC         values that a thread moves at once
// UNROLL      loads of a thread in flight before the first store
// BLOCK       threads of a block
// PER_THREAD  vectors that a thread moves, BLOCK apart: what copying the table to shared memory is spread over
//
// DISTINCT and ENTRIES, the length of the table, are sizes of the problem.

enum place { constant, shared, global, readonly };

__constant__ float constants[ENTRIES];

template <int FLOATS> struct vector;
template <> struct vector<1> { typedef float type; };
template <> struct vector<2> { typedef float2 type; };
template <> struct vector<4> { typedef float4 type; };
typedef vector<VEC>::type word;

union pack {
    word whole;
    float part[VEC];
};

// Moves on through the table once every 1024 values; the entries of a warp lie in different banks of shared memory.
static __device__ int entry_of(long long i)
{
    return (int)(((unsigned)(i / 1024) * 7 + (unsigned)i % DISTINCT) % ENTRIES);
}

extern "C" __global__ void constant_table_naive(float *out, const float *in, const float *table, long long count)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i] * table[entry_of(i)];
}

extern "C" __global__ void constant_table(float *__restrict__ out, const float *__restrict__ in, const float *table,
                                          long long count)
{
    __shared__ float copied[TABLE == shared ? ENTRIES : 1];
    const long long vectors = count / VEC, first = (long long)blockIdx.x * BLOCK * PER_THREAD + threadIdx.x;
    if (TABLE == shared) {
        for (int e = threadIdx.x; e < ENTRIES; e += BLOCK)
            copied[e] = table[e];
        __syncthreads();
    }
#pragma unroll 1
    for (int k = 0; k < PER_THREAD; k += UNROLL) {
        pack held[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            if (first + (k + u) * BLOCK < vectors)
                held[u].whole = ((const word *)in)[first + (k + u) * BLOCK];
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            const long long at = first + (k + u) * BLOCK;
            if (at >= vectors)
                continue;
#pragma unroll
            for (int v = 0; v < VEC; v++) {
                const int entry = entry_of(at * VEC + v);
                held[u].part[v] *= TABLE == constant   ? constants[entry]
                                   : TABLE == shared   ? copied[entry]
                                   : TABLE == readonly ? __ldg(&table[entry])
                                                       : __ldca(&table[entry]);
            }
            ((word *)out)[at] = held[u].whole;
        }
    }
}
