// A hot region that is read and written again and again beside data that stream past: without help, the stream pushes the region
// out of the L2 cache before it is wanted again. An access policy window makes lines of the region persist in a part of the L2
// that is set aside for them; where the region is larger than that part, a hit ratio below 1 keeps a share of it for good instead
// of all of it in turn. Marking the stream as streaming is the kernel's own way to the same end.
//
// HINT    none: ordinary accesses to the stream; streaming: loads and stores that say that their data is not wanted again
// VEC     floats of one access
// UNROLL  accesses of a thread, BLOCK apart: all of their loads are in flight before the first store
// BLOCK   threads of a block
//
// The window, its hit ratio and the part set aside are settings of the launch (see the .space). HOT_MB is a size of the problem:
// compare 10 to 60. What is written to the region is what was there: the input is far below the bound, which the compiler does
// not know, so the threads may come in any order.

enum hint { none, streaming };
static const float bound = 1e30f;

static __device__ float updated(float hot, float x)
{
    return fmaxf(hot, x - bound);
}

static __device__ float4 updated(float4 hot, float4 x)
{
    return make_float4(updated(hot.x, x.x), updated(hot.y, x.y), updated(hot.z, x.z), updated(hot.w, x.w));
}

static __device__ float combine(float x, float hot)
{
    return 2 * x + hot;
}

static __device__ float4 combine(float4 x, float4 hot)
{
    return make_float4(combine(x.x, hot.x), combine(x.y, hot.y), combine(x.z, hot.z), combine(x.w, hot.w));
}

extern "C" __global__ void l2_persist_naive(float *out, const float *in, float *hot, long long count)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x, j = i % (HOT_MB << 18);
    if (i < count) {
        float was = hot[j];
        out[i] = combine(in[i], was);
        hot[j] = updated(was, in[i]);
    }
}

#if VEC == 4
typedef float4 word;
#else
typedef float word;
#endif

extern "C" __global__ void l2_persist(word *__restrict__ out, const word *__restrict__ in, word *hot, long long count)
{
    const unsigned words = (unsigned)(count / VEC), hot_words = (HOT_MB << 18) / VEC;
    const unsigned first = blockIdx.x * (BLOCK * UNROLL) + threadIdx.x;
    word x[UNROLL], was[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        const unsigned i = first + u * BLOCK;
        if (i >= words)
            continue;
        x[u] = HINT == streaming ? __ldcs(&in[i]) : in[i];
        was[u] = hot[i % hot_words];
    }
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        const unsigned i = first + u * BLOCK;
        if (i >= words)
            continue;
        hot[i % hot_words] = updated(was[u], x[u]);
        if (HINT == streaming)
            __stcs(&out[i], combine(x[u], was[u]));
        else
            out[i] = combine(x[u], was[u]);
    }
}
