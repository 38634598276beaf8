// A hot region that is read again and again beside data that streams past: without help, the stream pushes the region out of the
// L2 cache before it is read again. An access policy window makes lines of the region persist in a part of the L2 set aside for
// them; where the region is larger than that part, a hit ratio below 1 keeps a share of it instead of all of it in turn. Marking
// the stream as streaming is the kernel's own way to the same end.
//
// HINT    none: ordinary accesses to the stream; streaming: loads and stores that say that their data is not wanted again
// UNROLL  vectors of a thread, BLOCK apart: all of their loads are in flight before the first store
// BLOCK   threads of a block
//
// The window, its hit ratio and the part set aside are settings of the launch (see the .space). HOT_MB is a size of the problem:
// compare 10 to 60.

enum hint { none, streaming };
enum { hot_vectors = HOT_MB << 16 }; // of 16 bytes

static __device__ float4 combine(float4 x, float4 y, float4 z)
{
    return make_float4(x.x * y.x + z.x, x.y * y.y + z.y, x.z * y.z + z.z, x.w * y.w + z.w);
}

extern "C" __global__ void l2_persist_naive(float4 *out, const float4 *in, const float4 *hot, unsigned vectors)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < vectors)
        out[i] = combine(in[i], hot[i % hot_vectors], hot[(i + hot_vectors / 2) % hot_vectors]);
}

extern "C" __global__ void l2_persist(float4 *__restrict__ out, const float4 *__restrict__ in, const float4 *__restrict__ hot,
                                      unsigned vectors)
{
    const unsigned first = blockIdx.x * (BLOCK * UNROLL) + threadIdx.x;
    float4 held[UNROLL], near[UNROLL], far[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        const unsigned i = first + u * BLOCK;
        if (i >= vectors)
            continue;
        held[u] = HINT == streaming ? __ldcs(&in[i]) : in[i];
        near[u] = hot[i % hot_vectors];
        far[u] = hot[(i + hot_vectors / 2) % hot_vectors];
    }
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        const unsigned i = first + u * BLOCK;
        if (i >= vectors)
            continue;
        if (HINT == streaming)
            __stcs(&out[i], combine(held[u], near[u], far[u]));
        else
            out[i] = combine(held[u], near[u], far[u]);
    }
}
