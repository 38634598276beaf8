// Strided reads: out[i] = in[i * stride]. Every sector that holds a wanted value is read from memory whole, so the traffic is the
// stride's fault; what can be tuned is how the values get from the sectors to their threads. Compare `-D STRIDE=1,2,4,8,16,32`.
//
// METHOD  direct: each thread reads its own value; staged: a block reads its whole stretch of memory in order into shared memory
//         and picks from there
// VEC     floats of a load, where staged
// UNROLL  values of a thread, BLOCK apart: all of their loads are in flight before the first store
// BLOCK   threads of a block
// LOAD    ca, cg, cs: loads are kept in L1 and L2, in L2 alone, or marked as streaming

enum method { direct, staged };
#define PASTE(a, b) a##b
#define LOAD_AS(kind) PASTE(__ld, kind)

template <int FLOATS> struct vector;
template <> struct vector<1> { typedef float type; };
template <> struct vector<2> { typedef float2 type; };
template <> struct vector<4> { typedef float4 type; };
typedef vector<VEC>::type word;

extern "C" __global__ void stride_naive(float *out, const float *in, long long count, int stride)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i * stride];
}

static __device__ void read_direct(float *out, const float *in, long long first, long long count, int stride)
{
    float held[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; u++)
        if (first + u * BLOCK < count)
            held[u] = LOAD_AS(LOAD)(&in[(first + u * BLOCK) * stride]);
#pragma unroll
    for (int u = 0; u < UNROLL; u++)
        if (first + u * BLOCK < count)
            out[first + u * BLOCK] = held[u];
}

static __device__ void read_staged(float *out, const float *in, long long first, long long count, int stride)
{
    extern __shared__ float4 stage[]; // BLOCK * UNROLL * stride floats, as words
    word *const words = (word *)stage;
    const long long start = first - threadIdx.x, left = (count - start) * stride / VEC;
    const word *const from = (const word *)&in[start * stride];
    const int all = BLOCK * UNROLL * stride / VEC, end = left < all ? (int)left : all;
#pragma unroll 8
    for (int w = threadIdx.x; w < end; w += BLOCK)
        words[w] = LOAD_AS(LOAD)(&from[w]);
    __syncthreads();
#pragma unroll
    for (int u = 0; u < UNROLL; u++)
        if (first + u * BLOCK < count)
            out[first + u * BLOCK] = ((const float *)stage)[(threadIdx.x + u * BLOCK) * stride];
}

extern "C" __global__ void stride(float *__restrict__ out, const float *__restrict__ in, long long count, int stride)
{
    const long long first = (long long)blockIdx.x * BLOCK * UNROLL + threadIdx.x;
    if (METHOD == staged)
        read_staged(out, in, first, count, stride);
    else
        read_direct(out, in, first, count, stride);
}
